import type { AnswerExample } from "../http/edge.ts";

/** Bodies and answers that the reference shows. The requests work as they are, in test mode. */

export const TOPUP = {
  "Two fields and a reference": { to: "08031234567", amount: 500, reference: "till-7-000412" },
  "With every field": {
    to: "+2348051234567",
    amount: "1000.00",
    network: "glo",
    expected_price: "975.00",
    allow_duplicate: true,
    reference: "till-7-000413",
    metadata: { branch: "Yaba" },
  },
  "Price check only": { to: "08031234567", amount: 200, validate_only: true },
};

export const DATA = {
  "A plan": { to: "08031234567", plan_id: "mtn-1gb-30d-6xaa0st1", reference: "till-7-000414" },
  "Price check only": { to: "08031234568", plan_id: "mtn-1gb-30d-6xaa0st1", validate_only: true },
};

const AIRTIME = {
  id: "pur_01kb3v9q4ze1xb8m6t2r5y7w0n",
  object: "airtime",
  mode: "test",
  status: "successful",
  to: "+2348031234567",
  network: "mtn",
  network_guess: "mtn",
  amount: { amount: "500.00", currency: "NGN" },
  price: { amount: "485.00", currency: "NGN", tax: "33.84" },
  charge: "charged",
  discount: { amount: "15.00", currency: "NGN" },
  provider_reference: "17642340000000000000000000001",
  reference: "till-7-000412",
  created_at: "2026-11-27T09:00:00.120Z",
  completed_at: "2026-11-27T09:00:00.410Z",
};

const { completed_at: _end, provider_reference: _theirs, network: _learned, ...UNDER_WAY } = AIRTIME;
const PROCESSING = { ...UNDER_WAY, status: "processing", charge: "held", next_check_at: "2026-11-27T09:00:25.120Z" };

const { network_guess: _guess, ...TOLD } = AIRTIME;
const BUNDLE = {
  ...TOLD,
  object: "data",
  plan: { plan_id: "mtn-1gb-30d-6xaa0st1", name: "MTN Data 1GB - 30 days" },
  amount: { amount: "505.00", currency: "NGN" },
  price: { amount: "505.00", currency: "NGN", tax: "35.23" },
  discount: { amount: "0.00", currency: "NGN" },
  reference: "till-7-000414",
};

const VALID_TOPUP = {
  object: "purchase_check",
  product: "airtime",
  valid: true,
  to: "+2348031234567",
  network_guess: "mtn",
  amount: { amount: "200.00", currency: "NGN" },
  price: { amount: "194.00", currency: "NGN", tax: "13.53" },
  discount: { amount: "6.00", currency: "NGN" },
};

const VALID_BUNDLE = {
  object: "purchase_check",
  product: "data",
  valid: true,
  to: "+2348031234567",
  network: "mtn",
  plan: BUNDLE.plan,
  amount: BUNDLE.amount,
  price: BUNDLE.price,
  discount: BUNDLE.discount,
};

export const TOPPED_UP: readonly AnswerExample[] = [
  { status: 200, summary: "The price", value: VALID_TOPUP },
  { status: 201, summary: "Delivered", value: AIRTIME },
  { status: 202, summary: "Not known yet", value: PROCESSING },
];

export const DATA_BOUGHT: readonly AnswerExample[] = [
  { status: 200, summary: "The price", value: VALID_BUNDLE },
  { status: 201, summary: "Delivered", value: BUNDLE },
  { status: 202, summary: "Not known yet", value: { ...PROCESSING, object: "data", plan: BUNDLE.plan } },
];

export const STATUS: readonly AnswerExample[] = [
  {
    status: 200,
    summary: "Delivered",
    value: {
      ...AIRTIME,
      timeline: [
        { status: "processing", at: "2026-11-27T09:00:00.120Z" },
        { status: "successful", at: "2026-11-27T09:00:00.410Z" },
      ],
    },
  },
];

export const LIST: readonly AnswerExample[] = [
  { status: 200, summary: "The only one", value: { object: "list", data: [AIRTIME], has_more: false } },
];

export const PLANS: readonly AnswerExample[] = [
  {
    status: 200,
    summary: "Two plans, one with an unclear name",
    value: {
      object: "list",
      data: [
        {
          object: "data_plan",
          plan_id: "mtn-1gb-30d-6xaa0st1",
          network: "mtn",
          name: "MTN Data 1GB - 30 days",
          size_mb: 1024,
          validity_days: 30,
          kind: "standard",
          parsed: true,
          price: BUNDLE.price,
          available: true,
        },
        {
          object: "data_plan",
          plan_id: "mtn-7d-ycdmsd22",
          network: "mtn",
          name: "MTN Xtratalk Weekly Bundle",
          size_mb: null,
          validity_days: 7,
          kind: null,
          parsed: false,
          price: { amount: "505.51", currency: "NGN", tax: "35.27" },
          available: true,
        },
      ],
      has_more: false,
      as_of: "2026-11-27T08:59:58.204Z",
    },
  },
];

const NOTHING = { amount: "0.00", currency: "NGN", tax: "0.00" };

export const RECEIPT: readonly AnswerExample[] = [
  {
    status: 200,
    summary: "Of data, as JSON",
    value: {
      object: "receipt",
      product: "data",
      receipt_number: BUNDLE.id,
      mode: "test",
      issued_at: BUNDLE.completed_at,
      seller: { name: "Sample Shop", tin: "12345678-0001" },
      to: BUNDLE.to,
      network: BUNDLE.network,
      plan: { ...BUNDLE.plan, size_mb: 1024, validity_days: 30 },
      amount: BUNDLE.amount,
      discount: BUNDLE.discount,
      fee: NOTHING,
      total: BUNDLE.price,
    },
  },
  {
    status: 200,
    summary: "As a page",
    mediaType: "text/html",
    value: '<!doctype html><html lang="en">… Data receipt …</html>',
  },
  { status: 200, summary: "As PDF", mediaType: "application/pdf", value: "%PDF-1.3 …" },
];
