import type { SellerLogo } from "../purchases/seller.ts";
import type { ConfigFile } from "./operator-file.ts";
import type { PortalConfig } from "./portal.ts";
import type { TracingConfig } from "./tracing.ts";

/** The environment and `afara.config.ts`, read once, checked together, frozen. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Where the operator's own tools read (`/metrics`). `port` undefined: nowhere. */
  readonly admin: { readonly host: string; readonly port: number | undefined };
  /** Undefined: no spans. */
  readonly tracing: TracingConfig | undefined;
  readonly portal: PortalConfig;
  readonly dataDir: string;
  /** Undefined: the embedded server. */
  readonly databaseUrl: string | undefined;
  /** Valkey or Redis that counts for all nodes; undefined: each node counts for itself. */
  readonly redisUrl: string | undefined;
  readonly role: "all" | "api" | "dispatcher";
  /** `production`: no local account, no printed key, `AFARA_SECRET` required. */
  readonly production: boolean;
  /** Pepper of keys and root of encryption; undefined in local mode, where it is made in the data directory. */
  readonly secret: string | undefined;
  /** Fixes the local account's test key. */
  readonly testKey: string | undefined;
  readonly logLevel: string;
  /** Addresses or CIDR blocks of proxies whose `X-Forwarded-For` is believed, comma-separated. */
  readonly trustProxy: string | undefined;
  readonly leaseSeconds: number;
  readonly file: ConfigFile;
  /** Of the seller, if it has one. */
  readonly sellerLogo?: SellerLogo;
}
