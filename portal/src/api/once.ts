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

/**
 * An act that happens once for each press, under an idempotency key of its own. A press while one is on its way does nothing; when
 * the answer was lost, the next press of the same draft has the same key, so that nothing is sent or bought twice.
 */
export function useOnce<Draft, Answer>(act: (draft: Draft, key: string) => Promise<Answer>) {
  const [key, setKey] = useState(newKey);
  const isOnItsWay = useRef(false);
  const recount = useRecount();
  const { data, error, isPending, mutate, reset } = useMutation({
    mutationFn: (draft: Draft) => act(draft, key),
    onSuccess: () => {
      setKey(newKey());
      void recount();
    },
    onError: (failed) => {
      if (isAnswer(failed)) setKey(newKey());
    },
    onSettled: () => {
      isOnItsWay.current = false;
    },
  });
  return {
    data,
    error,
    isPending,
    key,
    press(draft: Draft) {
      if (isOnItsWay.current) return;
      isOnItsWay.current = true;
      mutate(draft);
    },
    /** Another draft is another act. */
    begin() {
      if (error) setKey(newKey());
      if (data || error) reset();
    },
  };
}
