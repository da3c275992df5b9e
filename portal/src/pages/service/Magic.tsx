import styles from "./Magic.module.css";
import { MAGIC, type MagicKind } from "./magic.ts";

/** Numbers, meters or smartcards with a fixed outcome, for those who try. */
export function Magic({ kind }: { readonly kind: MagicKind }) {
  const { name, of, rows } = MAGIC[kind];
  return (
    <details className={`card ${styles.numbers}`}>
      <summary>{name}: make it fail</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{of}</th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([target, outcome]) => (
            <tr key={target}>
              <td className={target.startsWith("+") || /^\d+$/.test(target) ? "mono" : ""}>{target}</td>
              <td>{outcome}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <a href="/docs/guides/test-mode">All magic numbers, meters and smartcards</a>
      </p>
    </details>
  );
}
