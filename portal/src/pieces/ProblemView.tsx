import { Button } from "@mantine/core";
import { problemOf } from "../api/problem.ts";
import { Icon } from "./Icon.tsx";
import styles from "./ProblemView.module.css";
import { Prose } from "./Prose.tsx";

interface ProblemProps {
  readonly error: unknown;
  readonly again?: () => void;
}

/** A part of a page that could not be read, or a form that was refused: the problem's own words, and its id for support. */
export function ProblemView({ error, again }: ProblemProps) {
  const problem = problemOf(error);
  const isForbidden = problem.status === 403;
  return (
    <div className={styles.problem} role="alert" data-tone={isForbidden ? "neutral" : "failed"}>
      <span className={styles.icon}>
        <Icon name={isForbidden ? "stop" : "warning"} />
      </span>
      <div>
        <p>
          <Prose text={problem.message} />
        </p>
        {problem.requestId && <p className={`${styles.id} mono`}>{problem.requestId}</p>}
      </div>
      {again && !isForbidden && (
        <Button variant="default" size="xs" onClick={again}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Refusals of a form: nothing where each is already said beside its field. */
export function FormProblem({ error, fields }: { readonly error: unknown; readonly fields: readonly string[] }) {
  if (error === null || error === undefined) return null;
  const { faults } = problemOf(error);
  const isSaid = faults.length > 0 && faults.every(({ pointer }) => pointer !== undefined && fields.includes(pointer));
  return isSaid ? null : <ProblemView error={error} />;
}
