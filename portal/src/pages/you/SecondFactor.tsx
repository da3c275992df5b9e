import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type SecondFactorSetup, setUpSecondFactor, turnSecondFactorOff } from "../../api/own.ts";
import { problemOf } from "../../api/problem.ts";
import { useRenewSession } from "../../api/session.ts";
import { PasswordField } from "../../pieces/PasswordField.tsx";
import { FormProblem } from "../../pieces/ProblemView.tsx";
import { Pill } from "../../pieces/StatusPill.tsx";
import { toast } from "../../pieces/toast.ts";
import { FirstCode } from "./FirstCode.tsx";
import styles from "./You.module.css";

interface FactorProps {
  readonly isOn: boolean;
  /** The owner of a local account may have none. */
  readonly hasPassword: boolean;
}

export function SecondFactor({ isOn, hasPassword }: FactorProps) {
  const renew = useRenewSession();
  const [setup, setSetup] = useState<SecondFactorSetup>();
  if (setup)
    return (
      <FirstCode
        setup={setup}
        entered={async () => {
          await renew();
          setSetup(undefined);
          toast("Your second factor is on.");
        }}
        leave={() => setSetup(undefined)}
      />
    );
  const turnOff = async (password: string) => {
    await turnSecondFactorOff(password);
    await renew();
    toast("Your second factor is off.");
  };
  return isOn ? (
    <>
      <p>
        <Pill tone="done" icon="check">
          on
        </Pill>
      </p>
      <p className="soft">Each sign-in asks for a code from your authenticator app, after the password.</p>
      <PasswordAct key="off" action="Turn it off" hasPassword={hasPassword} act={turnOff} />
    </>
  ) : (
    <>
      <p>
        <Pill tone="neutral" icon="stop">
          off
        </Pill>
      </p>
      <p className="soft">
        A code from an authenticator app, after the password: whoever learns your password still can’t get in.
      </p>
      <PasswordAct
        key="on"
        action="Set it up"
        hasPassword={hasPassword}
        act={async (password) => setSetup(await setUpSecondFactor(password))}
      />
    </>
  );
}

interface ActProps {
  readonly action: string;
  readonly hasPassword: boolean;
  readonly act: (password: string) => Promise<void>;
}

/** What takes the password once more, of whoever has one. */
function PasswordAct({ action, hasPassword, act }: ActProps) {
  const form = useMutation({ mutationFn: (fields: FormData) => act(String(fields.get("password") ?? "")) });
  const problem = form.error ? problemOf(form.error) : undefined;
  const isWrong = problem?.code === "wrong_credentials";
  return (
    <form
      className={`stack ${styles.form}`}
      onSubmit={(event) => {
        event.preventDefault();
        form.mutate(new FormData(event.currentTarget));
      }}
    >
      {hasPassword && (
        <PasswordField
          name="password"
          label="Your password"
          error={isWrong ? problem.message : problem?.of("/password")}
        />
      )}
      {!isWrong && <FormProblem error={form.error} fields={["/password"]} />}
      <div>
        <Button type="submit" variant="default" loading={form.isPending}>
          {action}
        </Button>
      </div>
    </form>
  );
}
