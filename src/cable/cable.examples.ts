import type { AnswerExample } from "../http/edge.ts";

/** Bodies and answers that the reference shows. The requests work as they are, in test mode. */

export const VERIFY = {
  "A DStv card": { smartcard_number: "1212121212", provider: "dstv" },
  "A StarTimes card": { smartcard_number: "1023456789", provider: "startimes" },
};

export const PURCHASE = {
  "A renewal": {
    smartcard_number: "1212121212",
    provider: "dstv",
    kind: "renew",
    to: "08031234567",
    reference: "till-7-000601",
  },
  "With every field": {
    smartcard_number: "1212 1212 13",
    provider: "gotv",
    kind: "renew",
    to: "+2348031234567",
    notify: { channel: "sms" },
    allow_duplicate: true,
    reference: "till-7-000602",
    metadata: { branch: "Yaba" },
  },
  "Price check only": {
    smartcard_number: "5000000005",
    provider: "dstv",
    kind: "renew",
    to: "08031234567",
    validate_only: true,
  },
};

const naira = (amount: string) => ({ amount, currency: "NGN" });
const CUSTOMER = { name: "TEST SUBSCRIBER 1212" };
const PLAN = { plan_id: "gotv-30d-6xaa0st1", name: "GOtv Supa Plus - monthly N16,800" };

const CARD = {
  object: "smartcard_verification",
  verification_id: "ver_01kb3v9q4ze1xb8m6t2r5y7w0n",
  smartcard_number: "1212121212",
  provider: "dstv",
  customer: CUSTOMER,
  current_plan: "DStv Compact N19,000",
  renewal_amount: naira("19000.00"),
  due_date: "2027-02-06",
  expires_at: "2026-11-27T09:15:00.120Z",
};
const { current_plan: _plan, renewal_amount: _amount, due_date: _due, ...CUSTOMER_ALONE } = CARD;

export const VERIFIED: readonly AnswerExample[] = [
  { status: 200, summary: "A DStv card with a subscription", value: CARD },
  {
    status: 200,
    summary: "A StarTimes card: its customer alone is known",
    value: {
      ...CUSTOMER_ALONE,
      smartcard_number: "1023456789",
      provider: "startimes",
      customer: { name: "TEST SUBSCRIBER 6789" },
    },
  },
];

const RENEWED = {
  id: "pur_01kb3v9q4ze1xb8m6t2r5y7w0n",
  object: "cable",
  mode: "test",
  status: "successful",
  to: "+2348031234567",
  smartcard_number: "1212121212",
  provider: "dstv",
  kind: "renew",
  customer: CUSTOMER,
  amount: naira("19000.00"),
  price: { ...naira("19100.00"), tax: "1332.56" },
  charge: "charged",
  discount: naira("0.00"),
  fee: naira("100.00"),
  provider_reference: "17642340000000000000000000001",
  reference: "till-7-000601",
  created_at: "2026-11-27T09:00:00.120Z",
  completed_at: "2026-11-27T09:00:00.410Z",
};

const { completed_at: _end, ...UNDER_WAY } = RENEWED;
const PENDING = {
  ...UNDER_WAY,
  status: "processing",
  charge: "held",
  next_check_at: "2026-11-27T09:00:05.120Z",
};

const { smartcard_number: _card, customer: _customer, ...FOR_PHONE } = RENEWED;
const VOUCHER = {
  ...FOR_PHONE,
  provider: "showmax",
  kind: "change",
  plan: { plan_id: "showmax-90d-1m0c9q7x", name: "Full - N8,400 - 3 Months" },
  amount: naira("8400.00"),
  price: { ...naira("8500.00"), tax: "593.02" },
  tokens: [{ kind: "voucher", value: "SHMVHXQ9L3RXGPU" }],
};

export const BOUGHT: readonly AnswerExample[] = [
  {
    status: 200,
    summary: "The price",
    value: {
      object: "purchase_check",
      product: "cable",
      valid: true,
      to: "+2348031234567",
      smartcard_number: "5000000005",
      provider: "dstv",
      kind: "renew",
      customer: { name: "TEST SUBSCRIBER 0005" },
      amount: naira("21000.00"),
      price: { ...naira("21100.00"), tax: "1472.09" },
      discount: naira("0.00"),
      fee: naira("100.00"),
    },
  },
  { status: 201, summary: "Renewed", value: RENEWED },
  { status: 201, summary: "A Showmax voucher", value: VOUCHER },
  { status: 202, summary: "Not known yet", value: PENDING },
];

export const PROVIDERS: readonly AnswerExample[] = [
  {
    status: 200,
    summary: "One of them",
    value: {
      object: "list",
      data: [
        {
          object: "tv_provider",
          code: "dstv",
          name: "DStv",
          verify: true,
          kinds: ["renew", "change"],
          status: "available",
        },
      ],
      has_more: false,
    },
  },
];

export const PLANS: readonly AnswerExample[] = [
  {
    status: 200,
    summary: "One of them",
    value: {
      object: "list",
      data: [
        {
          object: "cable_plan",
          ...PLAN,
          provider: "gotv",
          validity_days: 30,
          amount: naira("16800.00"),
          price: { ...naira("16900.00"), tax: "1179.07" },
          available: true,
        },
      ],
      has_more: false,
      as_of: "2026-11-27T08:30:00.000Z",
    },
  },
];

export const STATUS: readonly AnswerExample[] = [
  {
    status: 200,
    summary: "Renewed, and the customer was notified",
    value: {
      ...RENEWED,
      notify: {
        channel: "sms",
        status: "delivered",
        message_id: "msg_01kb3v9q4ze1xb8m6t2r5y7w1p",
        price: { ...naira("4.00"), tax: "0.28" },
      },
      timeline: [
        { status: "processing", at: "2026-11-27T09:00:00.120Z" },
        { status: "successful", at: "2026-11-27T09:00:00.410Z" },
      ],
    },
  },
];

export const LIST: readonly AnswerExample[] = [
  { status: 200, summary: "One purchase", value: { object: "list", data: [RENEWED], has_more: false } },
];

export const RECEIPT: readonly AnswerExample[] = [
  {
    status: 200,
    summary: "As JSON",
    value: {
      object: "receipt",
      product: "cable",
      receipt_number: RENEWED.id,
      mode: "test",
      issued_at: RENEWED.completed_at,
      seller: { name: "Sample Shop", tin: "12345678-0001" },
      provider: { code: "dstv", name: "DStv" },
      kind: "renew",
      smartcard_number: "1212121212",
      customer: { ...CUSTOMER, phone: "+2348031234567" },
      amount: naira("19000.00"),
      discount: naira("0.00"),
      fee: { ...naira("100.00"), tax: "6.98" },
      total: RENEWED.price,
      reference: RENEWED.reference,
    },
  },
  {
    status: 200,
    summary: "As a page",
    mediaType: "text/html",
    value: '<!doctype html><html lang="en">… 1212121212 …</html>',
  },
  { status: 200, summary: "As PDF", mediaType: "application/pdf", value: "%PDF-1.3 …" },
];
