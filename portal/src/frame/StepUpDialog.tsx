import { Button, Modal, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { confirmByCode, confirmByPassword } from "../api/own.ts";
import { canUsePasskeys, confirmWithPasskey } from "../api/passkeys.ts";
import { useSession } from "../api/session.ts";
import { Icon } from "../pieces/Icon.tsx";
import { PasswordField } from "../pieces/PasswordField.tsx";
import { FormProblem } from "../pieces/ProblemView.tsx";

type Way = "password" | "code";

interface DialogProps {
  readonly answer: (isConfirmed: boolean) => void;
}

/** Stands above the dialog whose act it is asked for. */
export function StepUpDialog({ answer }: DialogProps) {
  const person = useSession().data?.person;
  const ways: readonly Way[] = [
    ...(person?.has_password ? (["password"] as const) : []),
    ...(person?.two_factor ? (["code"] as const) : []),
  ];
  const confirm = useMutation({
    mutationFn: async (act: () => Promise<unknown>) => {
      await act();
      answer(true);
    },
  });
  return (
    <Modal
      opened
      onClose={() => answer(false)}
      title="Confirm that it is you"
      closeButtonProps={{ "aria-label": "Close" }}
      closeOnEscape={false}
      zIndex={300}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation(); // the dialog below stays
        answer(false);
      }}
    >
      <div className="stack">
        <p className="soft">You signed in a while ago. We ask for ten minutes no more after this.</p>
        {(person?.passkeys ?? 0) > 0 && canUsePasskeys() && (
          <Button
            variant={ways.length > 0 ? "default" : "filled"}
            leftSection={<Icon name="key" size={16} />}
            loading={confirm.isPending}
            onClick={() => confirm.mutate(confirmWithPasskey)}
          >
            Use a passkey
          </Button>
        )}
        {ways.length > 0 && <ByText ways={ways} isBusy={confirm.isPending} give={confirm.mutate} />}
        <FormProblem error={confirm.error} fields={[]} />
      </div>
    </Modal>
  );
}

interface TextProps {
  readonly ways: readonly Way[];
  readonly isBusy: boolean;
  readonly give: (act: () => Promise<unknown>) => void;
}

function ByText({ ways, isBusy, give }: TextProps) {
  const [way, setWay] = useState(ways[0]);
  const other = ways.find((one) => one !== way);
  return (
    <form
      key={way}
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation(); // a portal's event goes up through the form that waits
        const text = String(new FormData(event.currentTarget).get(way ?? ""));
        give(() => (way === "code" ? confirmByCode(text.replaceAll(" ", "")) : confirmByPassword(text)));
      }}
    >
      {way === "code" ? (
        <TextInput
          name="code"
          label="Code of your authenticator app"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          data-autofocus
        />
      ) : (
        <PasswordField name="password" label="Your password" isFirst />
      )}
      <Button type="submit" loading={isBusy}>
        Confirm
      </Button>
      {other && (
        <Button variant="subtle" onClick={() => setWay(other)}>
          {other === "code" ? "Use a code instead" : "Use the password instead"}
        </Button>
      )}
    </form>
  );
}
