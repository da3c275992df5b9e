import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { problemOf } from "./problem.ts";

/** Not `randomUUID`: browsers have it on https and localhost alone. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Without one the gateway may have acted, or not: only the same key tells the two apart. */
const isAnswer = (error: unknown): boolean => {
  const { status } = problemOf(error);
  return status > 0 && status < 500;
};

/** What changes when an order is accepted or ends. */
const COUNTED = ["wallet", "limits", "usage"];

/** Reads wallet, limits and usage anew. */
export function useRecount() {
  const queries = useQueryClient();
  return () =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => COUNTED.some((part) => queryKey.includes(part)) });
}

interface Press<Draft> {
  readonly draft: Draft;
  readonly key: string;
}

/**
 * An act that happens once for each press, under an idempotency key of its own. A press while the same draft is on its way does
 * nothing; when the answer was lost, the next press of it has the same key, so that nothing is sent or bought twice.
 */
export function useOnce<Draft, Answer>(act: (draft: Draft, key: string) => Promise<Answer>) {
  const [key, setKey] = useState(newKey);
  const onItsWay = useRef<string>(undefined);
  const recount = useRecount();
  const renew = (used: string) => setKey((now) => (now === used ? newKey() : now));
  const { data, error, isPending, mutate, reset } = useMutation({
    mutationFn: (press: Press<Draft>) => act(press.draft, press.key),
    onSuccess: (_, press) => {
      renew(press.key);
      void recount();
    },
    onError: (failed, press) => {
      if (isAnswer(failed)) renew(press.key);
      else if (onItsWay.current === press.key) onItsWay.current = undefined;
    },
  });
  return {
    data,
    error,
    isPending,
    key,
    press(draft: Draft) {
      if (onItsWay.current === key) return;
      onItsWay.current = key;
      mutate({ draft, key });
    },
    /** Another draft is another act: what comes of the one before is no longer told. */
    begin() {
      if (error || isPending) renew(key);
      if (data || error || isPending) reset();
    },
  };
}
