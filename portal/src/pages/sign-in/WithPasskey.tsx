import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import {
  askForPasskey,
  choosePasskey,
  offerPasskeys,
  type PasskeyQuestion,
  signInWithPasskey,
  withdrawPasskeys,
} from "../../api/passkeys.ts";
import { Icon } from "../../pieces/Icon.tsx";
import { FormProblem } from "../../pieces/ProblemView.tsx";

/** A question is good for ten minutes, and this page may stand open for longer. */
const RENEW_MS = 7 * 60_000;

/** A button, and the browser's own list at the field of the address. Of both one asks at a time. */
export function WithPasskey({ enter }: { readonly enter: () => Promise<void> }) {
  const isChoosing = useRef(false);
  // Whatever answers by itself would answer for ever with one that was refused.
  const [isRefused, setRefused] = useState(false);
  const question = useQuery({
    queryKey: ["passkey-question"],
    queryFn: askForPasskey,
    staleTime: RENEW_MS,
    gcTime: 0,
    refetchInterval: () => (isChoosing.current ? false : RENEW_MS),
    refetchIntervalInBackground: true,
  });
  const signIn = useMutation({
    mutationFn: async (answered: ReturnType<typeof choosePasskey>) => {
      isChoosing.current = true;
      await signInWithPasskey(await answered);
      await enter();
    },
    onSettled: () => {
      isChoosing.current = false;
    },
    onError: () => {
      setRefused(true);
      return question.refetch(); // each is answered once
    },
  });
  useOffer(isRefused ? undefined : question.data, signIn.mutate);
  return (
    <div className="stack">
      <Button
        variant="default"
        leftSection={<Icon name="key" size={16} />}
        disabled={!question.data}
        loading={signIn.isPending}
        onClick={() => question.data && signIn.mutate(choosePasskey(question.data))}
        fullWidth
      >
        Sign in with a passkey
      </Button>
      <FormProblem error={signIn.error ?? question.error} fields={[]} />
    </div>
  );
}

function useOffer(
  question: PasskeyQuestion | undefined,
  chosen: (answered: ReturnType<typeof choosePasskey>) => void,
): void {
  useEffect(() => {
    if (!question) return;
    let isGone = false;
    void offerPasskeys(question).then((answer) => {
      if (answer && !isGone) chosen(Promise.resolve(answer));
    });
    return () => {
      isGone = true;
      withdrawPasskeys();
    };
  }, [question, chosen]);
}
