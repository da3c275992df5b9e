import { Tabs } from "@mantine/core";
import styles from "./CodeTabs.module.css";
import { CopyButton } from "./CopyButton.tsx";
import { type Call, inEachLanguage, maskedKey } from "./code.ts";

interface CodeProps {
  readonly call: Call;
  /** The person's own key, which is shown masked and copied whole. */
  readonly apiKey?: string | undefined;
}

/** One call of the API in four languages, ready to be pasted. */
export function CodeTabs({ call, apiKey }: CodeProps) {
  const shown = inEachLanguage(call, location.origin, apiKey && maskedKey(apiKey));
  const copied = inEachLanguage(call, location.origin, apiKey);
  return (
    <Tabs defaultValue="curl" variant="none" className={styles.box ?? ""}>
      <div className={styles.head}>
        <Tabs.List aria-label="Language">
          {shown.map(({ id, name }) => (
            <Tabs.Tab key={id} value={id} className={styles.tab ?? ""}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </div>
      {shown.map(({ id, text }, index) => (
        <Tabs.Panel key={id} value={id} className={styles.panel ?? ""}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
          <pre className={`${styles.code} mono`} tabIndex={0}>
            {text}
          </pre>
          <CopyButton text={copied[index]?.text ?? text} what="code" className={styles.copy ?? ""} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
