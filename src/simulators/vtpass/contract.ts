import type { Contract } from "../vendors/contract.ts";
import { SETTINGS } from "./settings.ts";

export const CONTRACT: Contract = {
  settings: {
    apiKey: SETTINGS.apiKey,
    publicKey: SETTINGS.publicKey,
    secretKey: SETTINGS.secretKey,
    duplicateWaitMs: 200,
  },
  products: ["airtime", "data", "electricity", "cable"],
  planCodes: { data: "mtn-data:mtn-data-1gb-30d" },
  vendPath: /\/pay$/,
};
