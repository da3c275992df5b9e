import type { Config } from "../config/gateway-config.ts";
import { makePeoplePart, type PeoplePart, type PeopleParts } from "../people/index.ts";
import { onOffer } from "./services.ts";

type Shared = Pick<PeopleParts, "db" | "clock" | "log" | "file" | "secret" | "connection" | "counters">;

/** The people part, as this gateway's environment has it. */
export const makePeople = ({ file, production, portal }: Config, shared: Shared): PeoplePart =>
  makePeoplePart({ ...shared, ...portal, onOffer: onOffer(file), isLocal: !production });
