import type { AnswerExample } from "../http/edge.ts";

/** Bodies and answers that the reference shows. The requests work as they are, in test mode. */

export const VERIFY = {
  "A meter": { meter_number: "11111111111", disco: "ikeja-electric" },
  "A postpaid account": { meter_number: "20000000002", disco: "ikedc", meter_type: "postpaid" },
};

export const PURCHASE = {
  "A meter and an amount": {
    meter_number: "11111111111",
    disco: "ikeja-electric",
    amount: 5000,
    to: "08031234567",
    reference: "till-7-000501",
  },
  "With every field": {
    meter_number: "1234 5678 901",
    disco: "ikeja-electric",
    amount: "2000.00",
    to: "+2348031234567",
    notify: { channel: "sms" },
    allow_duplicate: true,
    reference: "till-7-000502",
    metadata: { branch: "Yaba" },
  },
  "Price check only": {
    meter_number: "50000000005",
    disco: "ikeja-electric",
    amount: 3000,
    to: "08031234567",
    validate_only: true,
  },
};

export const RESEND = {
  "To the customer": { channel: "sms" },
  "To another phone": { channel: "sms", to: "08051234567" },
};

const naira = (amount: string) => ({ amount, currency: "NGN" });
const CUSTOMER = { name: "TEST CUSTOMER 1111", address: "11 SAMPLE CLOSE" };

const METER = {
  object: "verification",
  verification_id: "ver_01kb3v9q4ze1xb8m6t2r5y7w0n",
  meter_number: "11111111111",
  disco: "ikeja-electric",
  meter_type: "prepaid",
  customer: CUSTOMER,
  tariff: "A",
  minimum_amount: naira("1000.00"),
  maximum_amount: naira("500000.00"),
  expires_at: "2026-11-27T09:15:00.120Z",
};

export const VERIFIED: readonly AnswerExample[] = [
  { status: 200, summary: "A prepaid meter", value: METER },
  {
    status: 200,
    summary: "A meter with arrears",
    value: {
      ...METER,
      meter_number: "50000000005",
      customer: { name: "TEST CUSTOMER 0005", address: "05 SAMPLE CLOSE" },
      arrears: naira("500.00"),
      minimum_amount: naira("1500.00"),
    },
  },
];

const TOKEN = { kind: "credit", value: "1234 5678 9012 3456 7890", units_kwh: "22.3" };
const BREAKDOWN = { energy: naira("4651.16"), vat: naira("348.84"), arrears: naira("0.00") };

const BOUGHT_METER = {
  id: "pur_01kb3v9q4ze1xb8m6t2r5y7w0n",
  object: "electricity",
  mode: "test",
  status: "successful",
  to: "+2348031234567",
  meter_number: "11111111111",
  disco: "ikeja-electric",
  customer: CUSTOMER,
  amount: naira("5000.00"),
  price: { ...naira("5100.00"), tax: "355.81" },
  charge: "charged",
  discount: naira("0.00"),
  fee: naira("100.00"),
  tokens: [TOKEN],
  units_kwh: "22.3",
  breakdown: BREAKDOWN,
  vendor_receipt_number: "0000000000000000042",
  provider_reference: "17642340000000000000000000001",
  reference: "till-7-000501",
  created_at: "2026-11-27T09:00:00.120Z",
  completed_at: "2026-11-27T09:00:00.410Z",
};

const {
  tokens: _tokens,
  units_kwh: _units,
  breakdown: _breakdown,
  vendor_receipt_number: _receipt,
  completed_at: _end,
  ...UNDER_WAY
} = BOUGHT_METER;
const PENDING = {
  ...UNDER_WAY,
  status: "processing",
  charge: "held",
  token_pending: true,
  next_check_at: "2026-11-27T09:00:05.120Z",
};

export const BOUGHT: readonly AnswerExample[] = [
  {
    status: 200,
    summary: "The price",
    value: {
      object: "purchase_check",
      product: "electricity",
      valid: true,
      to: "+2348031234567",
      meter_number: "50000000005",
      disco: "ikeja-electric",
      customer: { name: "TEST CUSTOMER 0005", address: "05 SAMPLE CLOSE" },
      amount: naira("3000.00"),
      price: { ...naira("3100.00"), tax: "181.40" },
      discount: naira("0.00"),
      fee: naira("100.00"),
      arrears: naira("500.00"),
    },
  },
  { status: 201, summary: "Delivered, with its token", value: BOUGHT_METER },
  { status: 202, summary: "Delivered, but the token is still pending", value: PENDING },
];

export const DISCOS: readonly AnswerExample[] = [
  {
    status: 200,
    summary: "One of them",
    value: {
      object: "list",
      data: [
        {
          object: "disco",
          code: "ikeja-electric",
          name: "Ikeja Electric",
          states: ["Lagos"],
          minimum_amount: naira("1000.00"),
          maximum_amount: naira("500000.00"),
          status: "available",
        },
      ],
      has_more: false,
    },
  },
];

export const STATUS: readonly AnswerExample[] = [
  {
    status: 200,
    summary: "Delivered, and the customer was notified",
    value: {
      ...BOUGHT_METER,
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
  { status: 200, summary: "One purchase", value: { object: "list", data: [BOUGHT_METER], has_more: false } },
];

export const RECEIPT: readonly AnswerExample[] = [
  {
    status: 200,
    summary: "As JSON",
    value: {
      object: "receipt",
      product: "electricity",
      receipt_number: BOUGHT_METER.id,
      mode: "test",
      issued_at: BOUGHT_METER.completed_at,
      seller: { name: "Sample Shop", tin: "12345678-0001" },
      disco: { code: "ikeja-electric", name: "Ikeja Electric" },
      meter_number: "11111111111",
      meter_type: "prepaid",
      customer: { ...CUSTOMER, phone: "+2348031234567" },
      tokens: [TOKEN],
      units_kwh: "22.3",
      tariff: "A",
      breakdown: BREAKDOWN,
      amount: naira("5000.00"),
      discount: naira("0.00"),
      fee: { ...naira("100.00"), tax: "6.97" },
      total: BOUGHT_METER.price,
      vendor_receipt_number: BOUGHT_METER.vendor_receipt_number,
      reference: BOUGHT_METER.reference,
    },
  },
  {
    status: 200,
    summary: "As a page",
    mediaType: "text/html",
    value: '<!doctype html><html lang="en">… 1234 5678 9012 3456 7890 …</html>',
  },
  { status: 200, summary: "As PDF", mediaType: "application/pdf", value: "%PDF-1.3 …" },
];

export const RESENT: readonly AnswerExample[] = [
  {
    status: 202,
    summary: "On its way",
    value: {
      object: "token_resend",
      purchase_id: BOUGHT_METER.id,
      message_id: "msg_01kb3v9q4ze1xb8m6t2r5y7w1p",
      channel: "sms",
      to: "+2348031234567",
      status: "queued",
      price: { ...naira("4.00"), tax: "0.28" },
    },
  },
];
