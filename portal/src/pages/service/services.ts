/** Services that have a page of their own, by the API's names. */
export type ServiceName = "sms" | "chat" | "airtime" | "electricity" | "cable";

/** What a plan counts. */
export const UNITS: Readonly<Record<ServiceName, string>> = {
  sms: "messages",
  chat: "messages",
  airtime: "purchases",
  electricity: "purchases",
  cable: "purchases",
};

export const isService = (name: string): name is ServiceName => name in UNITS;
