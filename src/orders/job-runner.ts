import type { Log } from "../kernel/log.ts";
import type { Job } from "../ports/job.ts";

/** A job that runs hourly does not wait an hour because the database was busy when it began. */
const RETRY_MS = 2_000;

/** Repeats jobs until it is stopped. Runs of one job never overlap, and a failed one is logged and tried again. */
export class JobRunner {
  readonly #log: Log;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #retries = new Map<string, NodeJS.Timeout>();
  #timers: readonly NodeJS.Timeout[] = [];
  #isStopped = false;

  constructor(log: Log) {
    this.#log = log;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Runs each job at once, and from then on at its interval. */
  start(jobs: readonly Job[]): void {
    for (const job of jobs) this.#run(job);
    this.#timers = jobs.map((job) => setInterval(() => this.#run(job), job.everyMs));
  }

  /** Runs the job once more, after the run that is under way. */
  async runAgain(job: Job): Promise<void> {
    await this.#underWay.get(job.name);
    this.#run(job);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of [...this.#timers, ...this.#retries.values()]) clearTimeout(timer);
    await Promise.all(this.#underWay.values());
  }

  #run(job: Job): void {
    if (this.#isStopped || this.#underWay.has(job.name)) return;
    const run = job
      .run()
      .catch((error: Error) => this.#failed(job, error))
      .then(() => void this.#underWay.delete(job.name));
    this.#underWay.set(job.name, run);
  }

  #failed(job: Job, error: Error): void {
    this.#log.warn({ job: job.name, error: error.message }, "housekeeping will try again");
    if (job.everyMs <= RETRY_MS || this.#isStopped) return;
    clearTimeout(this.#retries.get(job.name));
    this.#retries.set(
      job.name,
      setTimeout(() => this.#run(job), RETRY_MS),
    );
  }
}
