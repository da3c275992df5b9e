import { Skeleton } from "@mantine/core";
import { useLimits, useServices } from "../../api/read.ts";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import table from "../../pieces/Table.module.css";
import type { ServiceName } from "./services.ts";

/** Endpoints of one policy that are named; the rest are counted. */
const NAMED_MAX = 2;

/** What a service's plan allows in a minute, and what is left of it now. */
export function Limits({ service }: { readonly service: ServiceName }) {
  const services = useServices();
  const limits = useLimits();
  const error = services.error ?? limits.error;
  const endpoints = services.data?.data.find((one) => one.service === service)?.endpoints ?? [];
  const policies = [...new Set(endpoints.map(({ policy }) => policy))];
  const rows = policies.flatMap((policy) => {
    const limit = limits.data?.limits.find((one) => one.policy === policy);
    return limit ? [{ ...limit, purposes: endpoints.filter((one) => one.policy === policy) }] : [];
  });
  return (
    <section className="card stack" aria-labelledby="limits">
      <h2 id="limits">Limits</h2>
      {services.data && limits.data ? (
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Requests</th>
              <th scope="col" className={`${table.wide} ${table.end}`}>
                A minute
              </th>
              <th scope="col" className={table.end}>
                Left now
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ policy, limit, remaining, purposes }) => (
              <tr key={policy}>
                <td>
                  <span className="mono">{policy}</span>
                  <p className="soft">{named([...new Set(purposes.map(({ purpose }) => purpose))])}</p>
                </td>
                <td className={`${table.wide} ${table.end} number`}>{limit.toLocaleString("en-NG")}</td>
                <td className={`${table.end} number`}>
                  {remaining.toLocaleString("en-NG")}
                  <span className={`${table.narrow} soft`}>of {limit.toLocaleString("en-NG")} a minute</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : error ? (
        <ProblemView error={error} again={() => void Promise.all([services.refetch(), limits.refetch()])} />
      ) : (
        <Skeleton height={196} />
      )}
    </section>
  );
}

function named(purposes: readonly string[]): string {
  const rest = purposes.length - NAMED_MAX;
  return purposes.slice(0, NAMED_MAX).join("; ") + (rest > 0 ? `; ${rest} more` : "");
}
