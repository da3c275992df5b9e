import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, take } from "../../api/client.ts";
import { useOnce } from "../../api/once.ts";
import { useScope } from "../../api/session.ts";
import { IN_TEST_MODE, TYPED_MS } from "../service/try.queries.ts";

export interface Draft {
  readonly to: string;
  /** Empty: the account's own default. */
  readonly from: string;
  readonly message: string;
}

export function usePreview(message: string) {
  const [text] = useDebouncedValue(message, TYPED_MS);
  const [account] = useScope();
  return useQuery({
    queryKey: [account, "test", "preview", text],
    queryFn: () => take(api.POST("/sms/preview", { body: { message: text }, headers: IN_TEST_MODE })),
    enabled: text !== "",
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

export function useSenders() {
  const [account] = useScope();
  return useQuery({
    queryKey: [account, "test", "senders"],
    queryFn: () => take(api.GET("/sms/senders", { headers: IN_TEST_MODE })),
    staleTime: 60_000,
  });
}

export const useSend = () =>
  useOnce(({ to, from, message }: Draft, key) =>
    take(
      api.POST("/sms/send", {
        body: { to, message, ...(from && { from }) },
        headers: { ...IN_TEST_MODE, "idempotency-key": key },
      }),
    ),
  );
