import Type from "typebox";
import { Naira, type PlanIn, perNetwork, soldService } from "../accounts/sold-service.ts";

/** SMS in `afara.config.ts`. */
export const SMS_SETTINGS = soldService(
  ["sms-send", "sms-bulk", "sms-recipients", "sms-preview", "sms-cancel"],
  /** A segment's price by route type and network. */
  { transactional: perNetwork(Naira), promotional: perNetwork(Naira) },
  {
    /** The sender of a message that names none. */
    defaultSender: Type.Optional(Type.String()),
    /** Senders that every account may use in live mode, besides the default one. All others are approved one by one. */
    approvedSenders: Type.Optional(Type.Array(Type.String())),
  },
);

export type SmsPlan = PlanIn<typeof SMS_SETTINGS>;
