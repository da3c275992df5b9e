import type { Models } from "../../api/client.ts";
import { moneyText } from "../../pieces/Money.tsx";
import { usePreview } from "./sms.queries.ts";
import styles from "./TryIt.module.css";

/** What the text becomes on the air, and what it costs, as it is typed. */
export function Counter({ message }: { readonly message: string }) {
  const { data } = usePreview(message);
  return (
    <div className={styles.counter} aria-live="polite">
      {data && message !== "" && <Told preview={data} />}
    </div>
  );
}

function Told({ preview }: { readonly preview: Models["SmsPreview"] }) {
  const { encoding, segments, units_used, units_left, price, non_gsm_characters, suggestion } = preview;
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
          {suggestion && suggestion.segments < segments && ` Without: ${suggestion.segments} of ${segments} segments.`}
        </p>
      )}
    </>
  );
}
