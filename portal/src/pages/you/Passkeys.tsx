import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { addPasskey, canUsePasskeys, listPasskeys, type Passkey, removePasskey } from "../../api/passkeys.ts";
import { problemOf } from "../../api/problem.ts";
import { useRenewSession } from "../../api/session.ts";
import { Confirm } from "../../pieces/Confirm.tsx";
import { SkeletonRows } from "../../pieces/Page.tsx";
import { FormProblem, ProblemView } from "../../pieces/ProblemView.tsx";
import { toast } from "../../pieces/toast.ts";
import { deviceOf } from "./device.ts";
import { PasskeyRows } from "./PasskeyRows.tsx";
import styles from "./You.module.css";

const PASSKEYS = ["own", "passkeys"];

/** Each is a way in of its own, without the password and without a code. */
export function Passkeys() {
  const queries = useQueryClient();
  const renew = useRenewSession();
  const passkeys = useQuery({ queryKey: PASSKEYS, queryFn: listPasskeys });
  const [leaving, setLeaving] = useState<Passkey>();
  const changed = async (message: string) => {
    await renew(); // it knows how many there are
    await queries.invalidateQueries({ queryKey: PASSKEYS });
    toast(message);
  };
  const remove = useMutation({
    mutationFn: async ({ id }: Passkey) => {
      await removePasskey(id);
      setLeaving(undefined);
      await changed("The passkey is removed.");
    },
  });
  return (
    <>
      <p className="soft">A finger, a face or the PIN of a device, in place of the password and the code.</p>
      {passkeys.error ? (
        <ProblemView error={passkeys.error} again={() => void passkeys.refetch()} />
      ) : passkeys.data ? (
        passkeys.data.data.length > 0 && <PasskeyRows passkeys={passkeys.data.data} remove={setLeaving} />
      ) : (
        <SkeletonRows count={1} height={52} />
      )}
      {canUsePasskeys() ? <Add added={() => changed("The passkey is added.")} /> : <NotHere />}
      <Confirm
        opened={leaving !== undefined}
        title={`Remove the passkey ${leaving?.name ?? ""}`}
        action="Remove"
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => leaving && remove.mutate(leaving)}
        onClose={() => {
          remove.reset();
          setLeaving(undefined);
        }}
      >
        <p>It no longer lets you in from now on. Delete it on the device, too.</p>
      </Confirm>
    </>
  );
}

function Add({ added }: { readonly added: () => Promise<void> }) {
  const add = useMutation({
    mutationFn: async (fields: FormData) => {
      await addPasskey(String(fields.get("name")));
      await added();
    },
  });
  const problem = add.error ? problemOf(add.error) : undefined;
  return (
    <form
      className={`stack ${styles.form}`}
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(new FormData(event.currentTarget));
      }}
    >
      <TextInput
        name="name"
        label="Name of the passkey"
        defaultValue={deviceOf(navigator.userAgent)}
        maxLength={100}
        autoComplete="off"
        required
        withAsterisk={false}
        error={problem?.of("/name")}
      />
      <FormProblem error={add.error} fields={["/name"]} />
      <div>
        <Button type="submit" variant="default" loading={add.isPending}>
          Add a passkey
        </Button>
      </div>
    </form>
  );
}

const NotHere = () => {
  const isAddress = /^[\d.]+$|^\[/.test(location.hostname);
  return (
    <p className="soft">
      {isAddress ? (
        <>
          Passkeys belong to a name, and this page is open at an address.{" "}
          <a href={`${location.protocol}//localhost:${location.port}${location.pathname}`}>Open it at localhost</a>
        </>
      ) : (
        "This browser can’t use passkeys here: they need HTTPS, and a browser of the last few years."
      )}
    </p>
  );
};
