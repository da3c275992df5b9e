import { Modal } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { revokeKey, rollKey } from "../../api/keys.ts";
import { Confirm } from "../../pieces/Confirm.tsx";
import { toast } from "../../pieces/toast.ts";
import { ShownOnce } from "./CreateKey.tsx";
import type { Ending } from "./ending.ts";

const OVERLAP_HOURS = 24;

interface EndProps {
  readonly ending: Ending | undefined;
  readonly close: () => void;
}

/** Rolls or revokes a key, after asking. */
export function EndKey({ ending, close }: EndProps) {
  const queries = useQueryClient();
  const renew = () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes("keys") });
  const roll = useMutation({ mutationFn: (id: string) => rollKey(id, OVERLAP_HOURS), onSuccess: renew });
  const revoke = useMutation({
    mutationFn: revokeKey,
    onSuccess: async () => {
      await renew();
      toast("The key is revoked.");
      leave();
    },
  });
  const leave = () => {
    roll.reset();
    revoke.reset();
    close();
  };
  const name = ending ? `${ending.key.starts}…${ending.key.ends}` : "";
  return (
    <>
      <Modal
        opened={roll.data !== undefined}
        onClose={leave}
        title="Your new key"
        closeOnClickOutside={false}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {roll.data && <ShownOnce made={roll.data} close={leave} />}
      </Modal>
      <Confirm
        opened={ending?.how === "roll" && roll.data === undefined}
        title={`Roll ${name}`}
        action="Roll the key"
        isBusy={roll.isPending}
        error={roll.error}
        onConfirm={() => ending && roll.mutate(ending.key.id)}
        onClose={leave}
      >
        <p>
          A new key takes its place at once. The old one works for {OVERLAP_HOURS} hours more, so nothing has to stop.
        </p>
      </Confirm>
      <Confirm
        opened={ending?.how === "revoke"}
        title={`Revoke ${name}`}
        action="Revoke the key"
        {...(ending && { typed: ending.key.ends })}
        isBusy={revoke.isPending}
        error={revoke.error}
        onConfirm={() => ending && revoke.mutate(ending.key.id)}
        onClose={leave}
      >
        <p>Whatever still calls with it is refused from now on. This can’t be undone.</p>
      </Confirm>
    </>
  );
}
