import { renameSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";

/**
 * Loaded before the gateway (`node --import`): a SIGUSR2 begins a CPU profile and the next one writes it to
 * AFARA_BENCH_PROFILE.
 */
const SAMPLE_EVERY_US = 500;
const file = process.env.AFARA_BENCH_PROFILE;

let session: Session | undefined;

process.on("SIGUSR2", () => {
  if (!session) {
    session = new Session();
    session.connect();
    session.post("Profiler.enable");
    session.post("Profiler.setSamplingInterval", { interval: SAMPLE_EVERY_US });
    session.post("Profiler.start");
    return;
  }
  session.post("Profiler.stop", (_, { profile }) => {
    if (file === undefined) return;
    // Whole as soon as it is there.
    writeFileSync(`${file}.part`, JSON.stringify(profile));
    renameSync(`${file}.part`, file);
  });
});
