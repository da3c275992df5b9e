import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { signOut } from "../../api/auth.ts";
import { useRenewSession } from "../../api/session.ts";
import { Door } from "../../frame/Door.tsx";
import { LinkButton } from "../../pieces/LinkButton.tsx";
import { FormProblem } from "../../pieces/ProblemView.tsx";

interface OtherProps {
  readonly invited: string;
  readonly own: string;
}

/** An invitation is answered by the address that it went to. */
export function OtherAddress({ invited, own }: OtherProps) {
  const renew = useRenewSession();
  const leave = useMutation({
    mutationFn: async () => {
      await signOut();
      await renew();
    },
  });
  return (
    <Door
      title="Another address is invited"
      line={
        <>
          The invitation went to <strong>{invited}</strong>, and you are signed in as <strong>{own}</strong>. Sign out,
          and come back in with the invited address.
        </>
      }
    >
      <div className="stack">
        <FormProblem error={leave.error} fields={[]} />
        <Button loading={leave.isPending} onClick={() => leave.mutate()} fullWidth>
          Sign out
        </Button>
        <LinkButton to="/" variant="default" fullWidth>
          Stay signed in
        </LinkButton>
      </div>
    </Door>
  );
}
