import { defineConfig } from "./src/config-file.ts";

/**
 * The operator's configuration. This one serves test keys against the SMSC simulator, which ships with the gateway.
 * docs/providers/smpp.md shows how to add a real SMSC: one entry under `providers`, one under `routes`.
 */
export default defineConfig({
  vatBasisPoints: 750,
  playMoney: "1000000.00",
  limits: { read: 300, manage: 60 },
  // Most messages an hour to one number. Test mode has no cap: its magic numbers are sent to all the time.
  destinationCaps: { live: { perAccount: 30, overall: 60 } },

  services: {
    sms: {
      name: "SMS",
      category: "messaging",
      defaultSender: "Afara",
      plans: [
        {
          id: "free",
          name: "Free",
          fee: "0.00",
          limits: { "sms-send": 60, "sms-bulk": 5, "sms-recipients": 100, "sms-preview": 60, "sms-cancel": 60 },
          quota: 100,
          prices: { transactional: { default: "4.00" }, promotional: { default: "4.00" } },
        },
        {
          id: "growth",
          name: "Growth",
          fee: "15000.00",
          limits: { "sms-send": 600, "sms-bulk": 60, "sms-recipients": 20_000, "sms-preview": 600, "sms-cancel": 600 },
          quota: null,
          prices: { transactional: { default: "3.60" }, promotional: { default: "3.20" } },
        },
        {
          id: "scale",
          name: "Scale",
          fee: "150000.00",
          // Large enough not to get in the way of a load test on one's own machine.
          limits: {
            "sms-send": 10_000_000,
            "sms-bulk": 10_000,
            "sms-recipients": 10_000_000,
            "sms-preview": 1_000_000,
            "sms-cancel": 1_000_000,
            read: 10_000_000,
          },
          quota: null,
          prices: { transactional: { default: "3.20" }, promotional: { default: "2.90" } },
        },
      ],
    },

    // What this gateway has no code for yet is shown by `GET /services` as not available, and nobody can subscribe to it.
    airtime: {
      name: "Airtime and data",
      category: "fintech",
      plans: [
        {
          id: "free",
          name: "Free",
          fee: "0.00",
          limits: { "airtime-vend": 30 },
          quota: 50,
          prices: { discountBasisPoints: { default: 100 }, dataMarginBasisPoints: 300 },
        },
        {
          id: "growth",
          name: "Growth",
          fee: "10000.00",
          limits: { "airtime-vend": 600 },
          quota: null,
          prices: { discountBasisPoints: { default: 200, mtn: 250 }, dataMarginBasisPoints: 150 },
        },
      ],
    },

    electricity: {
      name: "Electricity",
      category: "fintech",
      plans: [
        {
          id: "free",
          name: "Free",
          fee: "0.00",
          limits: { "electricity-verify": 60, "electricity-vend": 30 },
          quota: 50,
          prices: { fee: "100.00" },
        },
        {
          id: "growth",
          name: "Growth",
          fee: "10000.00",
          limits: { "electricity-verify": 1_200, "electricity-vend": 600 },
          quota: null,
          prices: { fee: "50.00" },
        },
      ],
    },

    chat: {
      name: "Chat",
      category: "messaging",
      plans: [
        {
          id: "growth",
          name: "Growth",
          fee: "20000.00",
          limits: { "chat-send": 600, "chat-media": 60 },
          quota: null,
          prices: { marketing: "85.00", utility: "12.00", authentication: "12.00", service: "2.00" },
        },
      ],
    },
  },

  simulators: { smsc: {} },

  providers: {
    "smsc-simulator": {
      adapter: "smpp",
      simulator: "smsc",
      settings: {
        systemId: "afara",
        password: "afara",
        binds: 2,
        windowSize: 200,
        responseTimeoutMs: 2_000,
        reconnectMinMs: 100,
        reconnectMaxMs: 2_000,
        traceTlv: true,
        // The simulator's own code for a number with Do-Not-Disturb.
        statusMap: { "0x0410": { kind: "rejected", scope: "order", code: "dnd" } },
      },
    },
  },

  // Top-ups of live wallets through Paystack (docs/providers/paystack.md).
  // funding: {
  //   adapter: "paystack",
  //   settings: { secretKey: process.env.PAYSTACK_SECRET_KEY, customerEmail: "topups+{account}@example.ng" },
  // },

  routes: [{ provider: "smsc-simulator", service: "sms", modes: ["test"], window: 400, ratePerSecond: 20_000 }],
});
