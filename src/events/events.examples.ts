const EVENT = {
  id: "evt_01kb3v9q4ze1xb8m6t2r5y7w0n",
  object: "event",
  type: "sms.delivered",
  timestamp: "2026-11-27T09:00:01.000Z",
  api_version: "2026-11-27",
  sequence: 2,
  data: {
    object: {
      id: "msg_01kb3v9q4ze1xb8m6t2r5y7w0n",
      object: "sms",
      direction: "outbound",
      mode: "test",
      status: "delivered",
      to: "+2348031234567",
      from: "Afara",
      message: "Your code is 123456",
      encoding: "gsm7",
      segments: 1,
      network_guess: "mtn",
      price: { amount: "4.00", currency: "NGN", tax: "0.28" },
      charge: "charged",
      created_at: "2026-11-27T09:00:00.000Z",
      updated_at: "2026-11-27T09:00:01.000Z",
    },
    previous_status: "sent",
  },
};
const CURSOR = "AAAAAAAAAAAZreMXcAAAAUu0m0tGqT0cXhVjYw";

export const PAGE = [
  {
    status: 200,
    summary: "One event, and nothing more for now",
    value: { object: "list", data: [EVENT], has_more: false, next_cursor: CURSOR },
  },
];

export const STREAM = [
  {
    status: 200,
    summary: "The place where it begins, one event, and a sign of life",
    mediaType: "text/event-stream",
    value: `retry: 2000\nid: ${CURSOR}\n\nid: ${CURSOR}\ndata: ${JSON.stringify(EVENT)}\n\n:\nid: ${CURSOR}\n\n`,
  },
];
