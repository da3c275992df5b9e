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

  // Whom receipts name; all but the name may be left out. The logo is a PNG or JPEG of 512 kB at most, its path from this file.
  // seller: {
  //   name: "Sample Shop Ltd",
  //   address: "1 Sample Close, Ikeja, Lagos",
  //   tin: "12345678-0001",
  //   phone: "0803 123 4567",
  //   email: "help@shop.example",
  //   logo: "./logo.png",
  // },

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
        {
          id: "scale",
          name: "Scale",
          fee: "100000.00",
          limits: { "airtime-vend": 1_000_000, read: 10_000_000 },
          quota: null,
          prices: { discountBasisPoints: { default: 250, mtn: 300 }, dataMarginBasisPoints: 100 },
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
        {
          id: "scale",
          name: "Scale",
          fee: "100000.00",
          limits: { "electricity-verify": 1_000_000, "electricity-vend": 1_000_000, read: 10_000_000 },
          quota: null,
          prices: { fee: "20.00" },
        },
      ],
    },

    cable: {
      name: "Cable TV",
      category: "fintech",
      plans: [
        {
          id: "free",
          name: "Free",
          fee: "0.00",
          limits: { "cable-verify": 60, "cable-vend": 30 },
          quota: 50,
          prices: { fee: "100.00" },
        },
        {
          id: "growth",
          name: "Growth",
          fee: "10000.00",
          limits: { "cable-verify": 1_200, "cable-vend": 600 },
          quota: null,
          prices: { fee: "50.00" },
        },
        {
          id: "scale",
          name: "Scale",
          fee: "100000.00",
          limits: { "cable-verify": 1_000_000, "cable-vend": 1_000_000, read: 10_000_000 },
          quota: null,
          prices: { fee: "20.00" },
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
        {
          id: "scale",
          name: "Scale",
          fee: "150000.00",
          limits: { "chat-send": 1_000_000, "chat-media": 10_000, read: 10_000_000 },
          quota: null,
          prices: { marketing: "80.00", utility: "10.00", authentication: "10.00", service: "1.00" },
        },
      ],
    },
  },

  // vendors: those of airtime, data, electricity and cable TV, see docs/guides/vendor-simulators.md.
  simulators: { smsc: {}, vendors: {} },

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
    "buypower-simulator": {
      adapter: "buypower",
      simulator: "buypower",
      settings: { token: "simulated-buypower-token", checkSignature: true, responseTimeoutMs: 2_000 },
    },
    // The real one, with its route
    //   { provider: "buypower", service: "electricity", modes: ["live"], window: 20, ratePerSecond: 10 }
    // buypower: { adapter: "buypower", settings: { token: process.env.BUYPOWER_TOKEN } },
    "reloadly-simulator": {
      adapter: "reloadly",
      simulator: "reloadly",
      settings: {
        clientId: "simulated-client-id",
        clientSecret: "simulated-client-secret",
        webhookSecret: "simulated-webhook-secret",
        responseTimeoutMs: 2_000,
        firstStatusMs: 300,
        rechargeWaitMs: 1_000,
        busyWaitMs: 1_000,
      },
    },
    // The real one, with its route
    //   { provider: "reloadly", service: "airtime", modes: ["live"], window: 20, ratePerSecond: 10 }
    // reloadly: {
    //   adapter: "reloadly",
    //   settings: {
    //     clientId: process.env.RELOADLY_CLIENT_ID,
    //     clientSecret: process.env.RELOADLY_CLIENT_SECRET,
    //     webhookSecret: process.env.RELOADLY_WEBHOOK_SECRET,
    //   },
    // },
    "vtpass-simulator": {
      adapter: "vtpass",
      simulator: "vtpass",
      settings: {
        apiKey: "simulated-api-key",
        publicKey: "PK_simulated",
        secretKey: "SK_simulated",
        responseTimeoutMs: 2_000,
        duplicateWaitMs: 1_000,
      },
    },
    // The real one, with a route of its own for each service, e.g.
    //   { provider: "vtpass", service: "airtime", modes: ["live"], window: 20, ratePerSecond: 10 }
    // vtpass: {
    //   adapter: "vtpass",
    //   settings: {
    //     apiKey: process.env.VTPASS_API_KEY,
    //     publicKey: process.env.VTPASS_PUBLIC_KEY,
    //     secretKey: process.env.VTPASS_SECRET_KEY,
    //     callbackSecret: process.env.VTPASS_CALLBACK_SECRET,
    //   },
    // },
    "whatsapp-simulator": {
      adapter: "whatsapp-cloud",
      simulator: "whatsapp",
      settings: {
        accessToken: "simulated-access-token",
        appSecret: "simulated-app-secret",
        verifyToken: "simulated-verify-token",
        wabaId: "100000000000001",
        // Each account of test mode gets one of its own.
        numbers: Array.from({ length: 1_000 }, (_, index) => ({
          phoneNumberId: String(200_000_000_000_001 + index),
          number: `+${2_347_000_000_001 + index}`,
        })),
        responseTimeoutMs: 2_000,
        // Magic numbers are written to all the time.
        perNumberPerSecond: 1_000,
        pairEveryMs: 0,
        waitMsMax: 2_000,
      },
    },
    // The real one, with its route
    //   { provider: "whatsapp-cloud", service: "chat", modes: ["live"], window: 100, ratePerSecond: 80 }
    // "whatsapp-cloud": {
    //   adapter: "whatsapp-cloud",
    //   settings: {
    //     accessToken: process.env.WHATSAPP_ACCESS_TOKEN,
    //     appSecret: process.env.WHATSAPP_APP_SECRET,
    //     verifyToken: process.env.WHATSAPP_VERIFY_TOKEN,
    //     wabaId: "100000000000009",
    //     numbers: [{ phoneNumberId: "200000000000009", number: "+2347000000009" }],
    //   },
    // },
  },

  // Top-ups of live wallets through Paystack (docs/providers/paystack.md).
  // funding: {
  //   adapter: "paystack",
  //   settings: { secretKey: process.env.PAYSTACK_SECRET_KEY, customerEmail: "topups+{account}@example.ng" },
  // },

  // A provider has a route for each service that is bought there.
  routes: [
    { provider: "smsc-simulator", service: "sms", modes: ["test"], window: 400, ratePerSecond: 20_000 },
    { provider: "vtpass-simulator", service: "airtime", modes: ["test"], window: 200, ratePerSecond: 1_000 },
    // BuyPower has no word for a reversal, which one of test mode's meters must show, so all of them are VTpass's.
    { provider: "vtpass-simulator", service: "electricity", modes: ["test"], window: 200, ratePerSecond: 1_000 },
    { provider: "vtpass-simulator", service: "cable", modes: ["test"], window: 200, ratePerSecond: 1_000 },
    { provider: "whatsapp-simulator", service: "chat", modes: ["test"], window: 200, ratePerSecond: 1_000 },
  ],
});
