import { Button } from "@mantine/core";
import type { KeyboardEvent, MouseEvent, ReactNode } from "react";
import { useKeyOfTab } from "../../api/keys.ts";
import { goTo, usePlace } from "../../api/place.ts";
import { problemOf } from "../../api/problem.ts";
import { useMay } from "../../api/session.ts";
import { CodeTabs } from "../../pieces/CodeTabs.tsx";
import type { Call } from "../../pieces/code.ts";
import { Notice } from "../../pieces/Notice.tsx";
import { FormProblem, ProblemView } from "../../pieces/ProblemView.tsx";
import { Progress, type Tried } from "./Progress.tsx";
import styles from "./TryIt.module.css";

interface TryItProps {
  /** What the form does: "Send an SMS in test mode". */
  readonly label: string;
  readonly action: string;
  readonly isBusy: boolean;
  readonly onSubmit: () => void;
  /** A refusal, and the pointers of what is said beside the fields. */
  readonly error: unknown;
  readonly fields: readonly string[];
  /** What it takes to buy the same once more within a minute. */
  readonly onRepeat?: () => void;
  readonly order: Tried | undefined;
  readonly orderError: unknown;
  /** The simulated phone, meter or screen. */
  readonly farEnd: ReactNode;
  readonly call: Omit<Call, "method">;
  readonly children: ReactNode;
}

/** The second click of a double click comes when the first may have been answered already. */
const ignoreSecondClick = (event: MouseEvent) => {
  if (event.detail > 1) event.preventDefault();
};

/** A key that is held down must not verify and then buy. */
const ignoreHeldEnter = (event: KeyboardEvent) => {
  if (event.key === "Enter" && event.repeat && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault();
};

/** A form that acts for real in test mode, the far end beside it, and the code that does the same. */
export function TryIt(is: TryItProps) {
  const maySend = useMay("send");
  const { mode } = usePlace();
  const key = useKeyOfTab();
  const isRepeat = is.error ? problemOf(is.error).code === "possible_duplicate" : false;
  return (
    <div className={styles.all}>
      {mode === "live" && (
        <Notice tone="waiting">
          You look at live mode, but this form always uses test mode: play money, and nothing reaches a real phone.{" "}
          <button type="button" className={styles.switch} onClick={() => goTo({ mode: "test" })}>
            Switch to test mode
          </button>
        </Notice>
      )}
      <div className={styles.columns}>
        <form
          className={styles.form}
          aria-label={is.label}
          noValidate
          onKeyDown={ignoreHeldEnter}
          onSubmit={(event) => {
            event.preventDefault();
            if (maySend) is.onSubmit();
          }}
        >
          {is.children}
          <FormProblem error={is.error} fields={is.fields} />
          <div className="row">
            <Button type="submit" loading={is.isBusy} disabled={!maySend} onClick={ignoreSecondClick}>
              {is.action}
            </Button>
            {isRepeat && is.onRepeat && (
              <Button variant="default" onClick={is.onRepeat}>
                Buy it once more
              </Button>
            )}
            {!maySend && <span className="soft">Your role may look, but not send or buy.</span>}
          </div>
          <Progress order={is.order} />
          {is.orderError ? <ProblemView error={is.orderError} /> : null}
        </form>
        {is.farEnd}
      </div>
      <CodeTabs call={{ method: "POST", ...is.call }} apiKey={key?.mode === "test" ? key.key : undefined} />
    </div>
  );
}
