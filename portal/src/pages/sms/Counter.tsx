import type { Models } from "../../api/client.ts";
import { minus, moneyText } from "../../pieces/Money.tsx";
import styles from "../service/TryIt.module.css";
import { usePreview } from "./sms.queries.ts";

interface CounterProps {
  readonly message: string;
  readonly preview: Models["SmsPreview"] | undefined;
}

/** What the text becomes on the air, and what it costs, as it is typed. */
export const Counter = ({ message, preview }: CounterProps) => (
  <div className={styles.counter} aria-live="polite">
    {preview && message !== "" && <Told preview={preview} />}
  </div>
);

function Told({ preview }: { readonly preview: Models["SmsPreview"] }) {
  const { encoding, segments, units_used, units_left, price, non_gsm_characters } = preview;
  const name = encoding === "gsm7" ? "GSM-7" : "UCS-2";
  const parts = segments === 1 ? "1 segment" : `${segments} segments`;
  const odd = [...new Set(non_gsm_characters.map(({ character }) => character))];
  return (
    <>
      <p className="number">
        {name} · {units_used} of {units_used + units_left} · {parts} · {moneyText(price)}
      </p>
      {odd.length > 0 && (
        <p>
          {odd.map((character) => (
            <mark key={character}>{character}</mark>
          ))}{" "}
          {odd.length === 1 ? "needs" : "need"} UCS-2, which leaves less room in a segment.
          <Saving preview={preview} />
        </p>
      )}
    </>
  );
}

/** What the same text costs with plain characters, where that is less. */
function Saving({ preview: { suggestion, segments, price } }: { readonly preview: Models["SmsPreview"] }) {
  const plain = usePreview(suggestion?.message ?? "");
  if (!suggestion || suggestion.segments >= segments) return null;
  const saved = plain.data && suggestion.message !== "" ? minus(price, plain.data.price) : undefined;
  return (
    <>
      {` Without: ${suggestion.segments} of ${segments} segments`}
      {saved && `, ${moneyText(saved)} less`}.
    </>
  );
}
