/** Bodies shown in the reference. Every one is run by a test. */

const to = "+2348031234567";

const message = {
  id: "msg_01kb3v9q4ze1xb8m6t2r5y7w0n",
  object: "chat",
  direction: "outbound",
  mode: "test",
  status: "queued",
  to,
  from: "+2347000000001",
  category: "service",
  price: { amount: "2.00", currency: "NGN", tax: "0.14" },
  charge: "held",
  created_at: "2026-11-27T09:00:00.000Z",
  updated_at: "2026-11-27T09:00:00.000Z",
};

const text = { ...message, type: "text", message: "Your order 4471 is ready." };

export const TEXT = {
  "Two fields are enough": { to: "08031234567", message: "Your order 4471 is ready." },
  "With everything": {
    to,
    message: "See https://portal.example.ng/s/9",
    preview_url: true,
    on_ambiguous: "fail",
    metadata: { shop: "Ikeja" },
  },
  "An SMS instead": { to, message: text.message, fallback: { sms: { message: text.message, from: "Afara" } } },
  "A template instead": {
    to,
    message: text.message,
    fallback: { template: { name: "order_update", language: "en_US", variables: { body: ["Ada", "4471"] } } },
  },
};
export const TEXT_SENT = [
  { status: 202, summary: "Accepted; the price is held", value: text },
  {
    status: 202,
    summary: "Accepted; the window is closed, so an SMS goes instead",
    value: {
      ...text,
      fallback: {
        sms: { message: text.message, from: "Afara", segments: 1 },
        price: { amount: "4.00", currency: "NGN", tax: "0.28" },
        used: true,
      },
    },
  },
];

export const TEMPLATE = {
  "Two variables": {
    to,
    template: "order_update",
    language: "en_US",
    variables: { body: ["Ada", "4471"] },
  },
  "The last part of a button's link": {
    to,
    template: "receipt_link",
    language: "en_US",
    variables: { header: ["4471"], body: ["4471"], buttons: ["4471"] },
  },
};
export const TEMPLATE_SENT = [
  {
    status: 202,
    summary: "Accepted; the price is held",
    value: {
      ...message,
      type: "template",
      template: { name: "order_update", language: "en_US", variables: { body: ["Ada", "4471"] } },
      category: "utility",
      price: { amount: "12.00", currency: "NGN", tax: "0.84" },
    },
  },
];

export const MEDIA_ID = "med_01kb3v9q4ze1xb8m6t2r5y7w0n";

export const MEDIA = { "An upload": { to, type: "image", media_id: MEDIA_ID, caption: "Your receipt" } };
export const MEDIA_SENT = [
  {
    status: 202,
    summary: "Accepted; the price is held",
    value: { ...message, type: "image", media: { media_id: MEDIA_ID, caption: "Your receipt" } },
  },
];

const buttons = [
  { id: "again", title: "Buy again" },
  { id: "other", title: "Another meter" },
];

export const INTERACTIVE = {
  Buttons: { to, type: "buttons", body: "Buy again for the same meter?", buttons },
  "A list": {
    to,
    type: "list",
    header: "Data plans",
    body: "Pick a plan",
    list: {
      button: "See plans",
      sections: [{ title: "Monthly", rows: [{ id: "p1", title: "10 GB", description: "30 days" }] }],
    },
  },
  "A link": {
    to,
    type: "cta_url",
    body: "Your statement is ready",
    footer: "The link works for a day",
    cta_url: { label: "Open", url: "https://portal.example.ng/s/9" },
  },
};
export const INTERACTIVE_SENT = [
  {
    status: 202,
    summary: "Accepted; the price is held",
    value: {
      ...message,
      type: "interactive",
      message: "Buy again for the same meter?",
      interactive: { type: "buttons", buttons },
    },
  },
];

export const UPLOADED = [
  {
    status: 201,
    summary: "Stored with the vendor",
    value: {
      object: "media",
      media_id: MEDIA_ID,
      type: "image/png",
      size: 48_213,
      expires_at: "2026-12-26T09:00:00.000Z",
    },
  },
];

export const STATUS = [
  {
    status: 200,
    summary: "Read",
    value: {
      ...text,
      status: "read",
      charge: "charged",
      updated_at: "2026-11-27T09:00:00.812Z",
      timeline: [
        { status: "queued", at: "2026-11-27T09:00:00.000Z" },
        { status: "sending", at: "2026-11-27T09:00:00.004Z" },
        { status: "sent", at: "2026-11-27T09:00:00.061Z", detail: "report: sent" },
        { status: "delivered", at: "2026-11-27T09:00:00.412Z", detail: "report: delivered" },
        { status: "read", at: "2026-11-27T09:00:00.812Z", detail: "report: read" },
      ],
    },
  },
];

export const WINDOW = [
  {
    status: 200,
    summary: "Open",
    value: {
      object: "chat_window",
      open: true,
      last_inbound_at: "2026-11-27T08:58:41.000Z",
      closes_at: "2026-11-28T08:58:41.000Z",
    },
  },
];

export const TEMPLATES = [
  {
    status: 200,
    summary: "One template",
    value: {
      object: "list",
      data: [
        {
          object: "chat_template",
          name: "order_update",
          language: "en_US",
          category: "utility",
          status: "approved",
          body: "Hello {{1}}, your order {{2}} is ready.",
          variables: {
            header: [],
            body: [
              { kind: "text", name: "1" },
              { kind: "text", name: "2" },
            ],
            buttons: [],
          },
        },
      ],
      has_more: false,
      as_of: "2026-11-27T08:30:00.000Z",
    },
  },
];

export const LIST = [
  {
    status: 200,
    summary: "A question and its answer",
    value: {
      object: "list",
      data: [
        { ...text, status: "read", charge: "charged" },
        {
          id: "msg_01kb3v8x2ye1xb8m6t2r5y7w0n",
          object: "chat",
          direction: "inbound",
          mode: "test",
          from: to,
          to: message.from,
          type: "text",
          message: "Is my order ready?",
          profile_name: "Ada",
          written_at: "2026-11-27T08:58:41.000Z",
          created_at: "2026-11-27T08:58:41.307Z",
        },
      ],
      has_more: false,
    },
  },
];
