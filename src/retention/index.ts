import type { ConfigFile } from "../config/operator-file.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { MINUTE_MS } from "../kernel/duration.ts";
import type { ServiceDefinition } from "../orders/service-definition.ts";
import type { Job } from "../ports/job.ts";
import { makePurge } from "./purge.ts";
import { retentionOf } from "./retention.settings.ts";

export { retentionOf };

export interface RetentionParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly file: ConfigFile;
  readonly services: readonly ServiceDefinition[];
  readonly isClockRight: () => boolean;
}

/** Personal data is purged when it was kept for the configured days. */
export const makeRetentionPart = ({ file, services, ...parts }: RetentionParts): { readonly jobs: readonly Job[] } => ({
  jobs: [
    {
      name: "personal data",
      everyMs: MINUTE_MS,
      run: makePurge({
        ...parts,
        services: new Map(services.map((service) => [service.service, service])),
        retention: retentionOf(file),
      }),
    },
  ],
});
