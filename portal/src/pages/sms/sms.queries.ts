import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, take } from "../../api/client.ts";
import { useEvents } from "../../api/events.ts";
import { useScope } from "../../api/session.ts";
import { isMoving } from "../../pieces/states.ts";

/** Whatever mode one looks at, what is tried here reaches simulated phones alone. */
const IN_TEST_MODE = { "afara-mode": "test" } as const;
/** Where no event stream is to be had. */
const LOOK_AGAIN_MS = 700;
const TYPED_MS = 400;

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

export function useSend() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ to, from, message }: Draft) =>
      take(api.POST("/sms/send", { body: { to, message, ...(from && { from }) }, headers: IN_TEST_MODE })),
    onSuccess: () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes("wallet") }),
  });
}

/** A message with its timeline, until its last state. */
export function useMessage(id: string | undefined) {
  const [account] = useScope();
  const queries = useQueryClient();
  const queryKey = [account, "test", "message", id];
  useEvents(({ data }) => {
    if (id && data.object.id === id) void queries.invalidateQueries({ queryKey });
  });
  return useQuery({
    queryKey,
    queryFn: () =>
      take(api.GET("/sms/status/{message_id}", { params: { path: { message_id: id ?? "" } }, headers: IN_TEST_MODE })),
    enabled: id !== undefined,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && !isMoving(state.data.status) ? false : LOOK_AGAIN_MS),
  });
}

/** What the simulated phone has got, asked again at each new state of the message. */
export function useHandset(phone: string | undefined, state: string | undefined) {
  const [account] = useScope();
  return useQuery({
    queryKey: [account, "test", "handset", phone, state],
    queryFn: () =>
      take(api.GET("/test/handsets/{phone}", { params: { path: { phone: phone ?? "" } }, headers: IN_TEST_MODE })),
    enabled: phone !== undefined,
    placeholderData: keepPreviousData,
  });
}
