import Type from "typebox";
import { Naira, type PlanIn, soldService } from "../accounts/sold-service.ts";

/** Business chat in `afara.config.ts`. */
export const CHAT_SETTINGS = soldService(
  ["chat-send", "chat-media"],
  /** A message's price by Meta's category. */
  { marketing: Naira, utility: Naira, authentication: Naira, service: Naira },
  {
    /** What becomes of linked files: checked and left to the vendor to fetch ("link", the default), or fetched and stored there. */
    media: Type.Optional(Type.Union([Type.Literal("link"), Type.Literal("fetch")])),
  },
);

export type ChatPlan = PlanIn<typeof CHAT_SETTINGS>;
