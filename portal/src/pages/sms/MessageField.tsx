import { Input, Textarea } from "@mantine/core";
import { type ChangeEvent, type ReactNode, useId, useRef } from "react";
import styles from "./MessageField.module.css";

interface MessageProps {
  readonly value: string;
  readonly onChange: (event: ChangeEvent<HTMLTextAreaElement>) => void;
  readonly error: string | undefined;
  /** Characters to underline. */
  readonly marked: ReadonlySet<string>;
}

/**
 * The text of an SMS, with what takes it out of GSM-7 underlined where it is typed. A text area can't mark its own text: the same
 * text lies over it, unseen but for the lines.
 */
export function MessageField({ value, onChange, error, marked }: MessageProps) {
  const id = useId();
  const over = useRef<HTMLDivElement>(null);
  return (
    <Input.Wrapper label="Message" error={error} id={id}>
      <div className={styles.box}>
        <Textarea
          id={id}
          rows={3}
          value={value}
          onChange={onChange}
          error={error !== undefined}
          classNames={{ input: styles.text ?? "" }}
          onScroll={(event) => over.current?.scrollTo(0, event.currentTarget.scrollTop)}
        />
        <div ref={over} className={styles.over} aria-hidden="true" data-testid="marks">
          {markedText(value, marked)}
        </div>
      </div>
    </Input.Wrapper>
  );
}

function markedText(text: string, marked: ReadonlySet<string>): ReactNode[] {
  const parts: ReactNode[] = [];
  let plain = "";
  for (const character of text) {
    if (!marked.has(character)) {
      plain += character;
      continue;
    }
    parts.push(plain, <mark key={parts.length}>{character}</mark>);
    plain = "";
  }
  return [...parts, plain, "\n"]; // the last line break of a text has a line of its own, as in the field
}
