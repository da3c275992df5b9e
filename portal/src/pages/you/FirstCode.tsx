import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { QRCodeSVG } from "qrcode.react";
import { verifyCode } from "../../api/auth.ts";
import type { SecondFactorSetup } from "../../api/own.ts";
import { problemOf } from "../../api/problem.ts";
import { CopyButton } from "../../pieces/CopyButton.tsx";
import { FormProblem } from "../../pieces/ProblemView.tsx";
import styles from "./You.module.css";

interface FirstProps {
  readonly setup: SecondFactorSetup;
  readonly entered: () => Promise<void>;
  readonly leave: () => void;
}

const inFours = (key: string): string => key.replace(/(.{4})(?=.)/g, "$1 ");

/** The key goes into the app, the codes into a safe place, and a first code proves that the app has it. */
export function FirstCode({ setup: { totpURI, backupCodes }, entered, leave }: FirstProps) {
  const secret = new URL(totpURI).searchParams.get("secret") ?? "";
  const form = useMutation({
    mutationFn: async (fields: FormData) => {
      await verifyCode(String(fields.get("code")).replaceAll(" ", ""));
      await entered();
    },
  });
  const problem = form.error ? problemOf(form.error) : undefined;
  const isWrong = problem?.code === "wrong_code";
  return (
    <form
      className={styles.steps}
      onSubmit={(event) => {
        event.preventDefault();
        form.mutate(new FormData(event.currentTarget));
      }}
    >
      <div>
        <h3>1. Scan this with your authenticator app</h3>
        <QRCodeSVG
          value={totpURI}
          size={176}
          marginSize={4}
          title="The key of your second factor"
          className={styles.qr ?? ""}
        />
        <p className="soft">Or type the key:</p>
        <code className={`${styles.key} mono`}>{inFours(secret)}</code>
        <div className="row">
          <CopyButton text={secret} what="key" />
          <a href={totpURI}>Open it in an app on this device</a>
        </div>
      </div>
      <div>
        <h3>2. Keep these codes where your phone is not</h3>
        <p className="soft">Each lets you in once when the phone is lost. They are not shown again.</p>
        <ul className={`${styles.codes} mono`}>
          {backupCodes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <CopyButton text={backupCodes.join("\n")} what="codes" />
      </div>
      <div>
        <h3>3. Type the six digits that the app shows now</h3>
        <TextInput
          name="code"
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          error={isWrong ? problem.message : problem?.of("/code")}
        />
        {!isWrong && <FormProblem error={form.error} fields={["/code"]} />}
        <div className="row">
          <Button type="submit" loading={form.isPending}>
            Turn it on
          </Button>
          <Button variant="default" onClick={leave}>
            Leave it
          </Button>
        </div>
      </div>
    </form>
  );
}
