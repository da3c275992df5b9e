/** Bodies shown in the reference. Every one is run by a test. */

const message = {
  id: "msg_01kb3v9q4ze1xb8m6t2r5y7w0n",
  object: "sms",
  direction: "outbound",
  mode: "test",
  status: "queued",
  to: "+2348031234567",
  from: "Afara",
  message: "Your code is 4471",
  encoding: "gsm7",
  segments: 1,
  network_guess: "mtn",
  price: { amount: "4.00", currency: "NGN", tax: "0.28" },
  charge: "held",
  created_at: "2026-11-27T09:00:00.000Z",
  updated_at: "2026-11-27T09:00:00.000Z",
};

export const SEND = {
  "Two fields are enough": { to: "08031234567", message: "Your code is 4471" },
  "With everything": {
    to: "+2348031234567",
    message: "Your order 4471 is ready: ₦5,000 to pay",
    from: "Afara",
    route: "transactional",
    validity_minutes: 60,
    smart_encoding: true,
    on_ambiguous: "fail",
    metadata: { shop: "Ikeja" },
  },
};

export const SENT = [{ status: 202, summary: "Accepted; the price is held", value: message }];

export const BULK = {
  "One text for many": { to: ["08031234567", "08021234567"], message: "We open at nine tomorrow" },
  "A text each": {
    messages: [
      { to: "08031234567", message: "Ada, your order is ready" },
      { to: "08021234567", message: "Bola, your order is ready" },
    ],
  },
};

const bulkId = "blk_01kb3v9q4ze1xb8m6t2r5y7w0n";

export const BULK_ACCEPTED = [
  {
    status: 202,
    summary: "Accepted; faulty recipients are named",
    value: {
      id: bulkId,
      object: "bulk",
      accepted: 1,
      rejected: [{ index: 1, to: "0803", code: "invalid_phone_number", detail: "This is not a phone number." }],
      price: { amount: "4.00", currency: "NGN", tax: "0.28" },
      messages: [{ id: message.id, to: message.to, status: "queued" }],
    },
  },
];

export const BULK_STATUS = [
  {
    status: 200,
    summary: "Counts by status, and the money",
    value: {
      id: bulkId,
      object: "bulk",
      counts: { delivered: 2 },
      price: { amount: "8.00", currency: "NGN", tax: "0.56" },
      amounts: {
        held: { amount: "0.00", currency: "NGN" },
        charged: { amount: "8.00", currency: "NGN" },
        returned: { amount: "0.00", currency: "NGN" },
      },
      created_at: message.created_at,
      completed_at: "2026-11-27T09:00:01.204Z",
    },
  },
];

export const BULK_CANCELLED = [
  {
    status: 200,
    summary: "Unsent messages are cancelled and refunded",
    value: {
      object: "bulk_cancellation",
      bulk_id: bulkId,
      cancelled: 120,
      too_late: 80,
      returned: { amount: "480.00", currency: "NGN" },
    },
  },
];

export const STATUS = [
  {
    status: 200,
    summary: "Delivered",
    value: {
      ...message,
      status: "delivered",
      charge: "charged",
      updated_at: "2026-11-27T09:00:00.412Z",
      timeline: [
        { status: "queued", at: "2026-11-27T09:00:00.000Z" },
        { status: "sending", at: "2026-11-27T09:00:00.004Z" },
        { status: "sent", at: "2026-11-27T09:00:00.011Z" },
        { status: "delivered", at: "2026-11-27T09:00:00.412Z", detail: "report: delivered" },
      ],
    },
  },
];

export const CANCELLED = [
  {
    status: 200,
    summary: "Cancelled; the price is returned",
    value: { ...message, status: "cancelled", charge: "returned" },
  },
];

export const PREVIEW = { "A naira sign makes it UCS-2": { message: "You paid ₦5000" } };

export const PREVIEWED = [
  {
    status: 200,
    summary: "With a cheaper alternative",
    value: {
      object: "sms_preview",
      encoding: "ucs2",
      segments: 1,
      units_used: 14,
      units_left: 56,
      non_gsm_characters: [{ character: "₦", index: 9 }],
      suggestion: {
        message: "You paid N5000",
        segments: 1,
        replacements: [{ character: "₦", index: 9, replacement: "N" }],
      },
      price: { amount: "4.00", currency: "NGN", tax: "0.28" },
    },
  },
];

export const LIST = [
  {
    status: 200,
    summary: "One page",
    value: { object: "list", data: [{ ...message, status: "delivered", charge: "charged" }], has_more: false },
  },
  {
    status: 200,
    summary: "What people wrote: direction=inbound",
    value: {
      object: "list",
      data: [
        {
          id: message.id,
          object: "sms",
          direction: "inbound",
          mode: "test",
          from: message.to,
          to: "20001",
          message: "STOP",
          understood_as: "stop",
          received_at: message.created_at,
        },
      ],
      has_more: false,
    },
  },
];
