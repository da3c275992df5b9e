import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Models, take } from "../../api/client.ts";
import { useOnce } from "../../api/once.ts";
import { useScope } from "../../api/session.ts";
import { IN_TEST_MODE, LOOK_AGAIN_MS, TYPED_MS } from "../service/try.queries.ts";

export interface TextDraft {
  readonly to: string;
  readonly message: string;
}

export interface TemplateDraft {
  readonly to: string;
  readonly template: string;
  readonly language: string;
  readonly variables?: Models["TemplateVariables"];
}

/** Templates that take nothing but texts. */
export function useTemplates() {
  const [account] = useScope();
  return useQuery({
    queryKey: [account, "test", "templates"],
    queryFn: () => take(api.GET("/chat/templates", { headers: IN_TEST_MODE })),
    select: ({ data }) => data.filter(isSendable),
    staleTime: 60_000,
  });
}

const isSendable = ({ status, unknown_parts, variables }: Models["ChatTemplate"]): boolean =>
  status === "approved" &&
  !unknown_parts?.length &&
  variables.header.every(({ kind }) => kind === "text") &&
  variables.buttons.every(({ kind }) => kind === "url" || kind === "text");

export const useSendText = () =>
  useOnce((body: TextDraft, key) =>
    take(api.POST("/chat/send/text", { body, headers: { ...IN_TEST_MODE, "idempotency-key": key } })),
  );

export const useSendTemplate = () =>
  useOnce((body: TemplateDraft, key) =>
    take(api.POST("/chat/send/template", { body, headers: { ...IN_TEST_MODE, "idempotency-key": key } })),
  );

/** Long enough to be a number; whether it is one, the gateway says. */
const isPhone = (text: string): boolean => text.replaceAll(/\D/g, "").length >= 10;

/** The window of a phone, what it wrote, and a way to let it write. */
export function usePhone(typed: string) {
  const [account] = useScope();
  const queries = useQueryClient();
  const [phone] = useDebouncedValue(typed.trim(), TYPED_MS);
  const [awaited, await_] = useState<string>();
  const queryKey = [account, "test", "chat-phone", phone];
  const renew = () => void queries.invalidateQueries({ queryKey: [account, "test", "chat-phone"] });
  const isAwaited = awaited === phone;
  const enabled = isPhone(phone);

  const heard = useQuery({
    queryKey: [...queryKey, "heard"],
    queryFn: () =>
      take(
        api.GET("/chat/messages", {
          params: { query: { phone, direction: "inbound", limit: 5 } },
          headers: IN_TEST_MODE,
        }),
      ),
    enabled,
  });
  const window = useQuery({
    queryKey: [...queryKey, "window"],
    queryFn: async () => {
      const found = await take(api.GET("/chat/window/{phone}", { params: { path: { phone } }, headers: IN_TEST_MODE }));
      if (found.open && isAwaited) {
        await_(undefined);
        void queries.invalidateQueries({ queryKey: [...queryKey, "heard"] });
      }
      return found;
    },
    enabled,
    refetchInterval: isAwaited ? LOOK_AGAIN_MS : false,
  });
  const write = useMutation({
    mutationFn: (message: string) =>
      take(
        api.POST("/test/handsets/{phone}/messages", {
          params: { path: { phone } },
          body: { channel: "chat", message },
          headers: IN_TEST_MODE,
        }),
      ),
    onSuccess: () => {
      await_(phone);
      renew();
    },
  });
  /** Looks again when an event of a conversation is heard. */
  const look = (event: string) => event.startsWith("chat.") && renew();
  return { number: enabled ? phone : undefined, window, heard, write, look };
}
