import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { listKeys, useKeyOfTab } from "../../api/keys.ts";
import { useServices, useSubscriptions } from "../../api/read.ts";
import { useMay, useScope } from "../../api/session.ts";
import { CopyButton } from "../../pieces/CopyButton.tsx";
import { Icon, isIcon } from "../../pieces/Icon.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { useCreateKey } from "../keys/create.ts";
import { isService } from "../service/services.ts";
import { ABOUT, priceOfOne } from "../services/copy.ts";
import { useSubscribe } from "../services/subscribe.ts";
import { TrySms } from "../sms/TrySms.tsx";
import styles from "./Home.module.css";

export function FirstSteps() {
  const subscriptions = useSubscriptions();
  const scope = useScope();
  const key = useKeyOfTab();
  const keys = useQuery({ queryKey: [...scope, "keys"], queryFn: listKeys, refetchInterval: 3_000 });
  const mine = (keys.data?.data ?? []).filter(({ mode, revoked_at }) => mode === "test" && !revoked_at);
  const hasService = (subscriptions.data?.data.length ?? 0) > 0;
  const hasSms = subscriptions.data?.data.some(({ service }) => service === "sms") === true;
  const hasKey = key !== undefined || mine.length > 0;
  const hasCalled = mine.some(({ last_used_at }) => last_used_at !== null);
  if (subscriptions.error)
    return <ProblemView error={subscriptions.error} again={() => void subscriptions.refetch()} />;
  if (!subscriptions.data || (keys.isPending && !keys.error)) return <Skeleton height={420} radius="md" />;
  return (
    <div className="stack">
      <Step number={1} title="Choose a service" isDone={hasService} isOpen={!hasService}>
        <ChooseService />
      </Step>
      <Step number={2} title="Your test key" isDone={hasKey} isOpen={hasService && (!hasKey || key !== undefined)}>
        <TestKey />
      </Step>
      <Step number={3} title="Send it" isDone={hasCalled} isOpen={hasService && hasKey}>
        {hasSms ? <TrySms /> : <OtherForm services={subscriptions.data.data.map(({ service }) => service)} />}
        <p className={`row ${styles.fromCode}`} aria-live="polite">
          <span className={styles.mark} data-done={hasCalled || undefined}>
            <Icon name={hasCalled ? "check" : "clock"} size={14} />
          </span>
          {hasCalled
            ? "The first call with your key has arrived."
            : "Then do it from your code: this turns green when the first call with your key arrives."}
        </p>
      </Step>
    </div>
  );
}

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  readonly isOpen: boolean;
  readonly children: ReactNode;
}

const Step = ({ number, title, isDone, isOpen, children }: StepProps) => (
  <section className={`card ${styles.step}`} aria-labelledby={`step-${number}`} data-open={isOpen || undefined}>
    <h2 id={`step-${number}`} className={styles.title}>
      <span className={styles.mark} data-done={isDone || undefined}>
        {isDone ? <Icon name="check" size={14} /> : number}
      </span>
      {title}
      {isDone && <span className={styles.done}>done</span>}
    </h2>
    {isOpen && <div className={styles.body}>{children}</div>}
  </section>
);

function ChooseService() {
  const services = useServices();
  const subscribe = useSubscribe(() => {});
  const maySubscribe = useMay("subscribe");
  if (services.error) return <ProblemView error={services.error} again={() => void services.refetch()} />;
  if (!services.data) return <Skeleton height={180} />;
  return (
    <>
      {!maySubscribe && <p className="soft">Your role may look, but an owner of the account chooses its services.</p>}
      {subscribe.error && <ProblemView error={subscribe.error} />}
      <div className={styles.choices}>
        {services.data.data.map(({ service, name, plans }) => {
          const [plan] = plans;
          const icon = isIcon(service) ? service : "services";
          return (
            <div key={service} className={styles.choice}>
              <h3 className="row">
                <Icon name={icon} />
                {name}
              </h3>
              <p className="soft">{ABOUT[service]}</p>
              <p className="number">{plan && priceOfOne(plan.prices)}</p>
              {plan?.free ? (
                <Button
                  size="xs"
                  disabled={!maySubscribe}
                  loading={subscribe.isPending && subscribe.variables.service === service}
                  onClick={() => subscribe.mutate({ service, name, plan: plan.id })}
                  aria-label={`Use it free: ${name}`}
                >
                  Use it free
                </Button>
              ) : (
                <Button
                  size="xs"
                  variant="default"
                  component={Link}
                  to="/services"
                  aria-label={`See its plans: ${name}`}
                >
                  See its plans
                </Button>
              )}
            </div>
          );
        })}
      </div>
    </>
  );
}

function TestKey() {
  const key = useKeyOfTab();
  const create = useCreateKey();
  const mayCreate = useMay("keys");
  if (key)
    return (
      <>
        <p>Copy it now: it is not shown again. The examples below have it for as long as this tab is open.</p>
        <div className={styles.key}>
          <code className="mono">{key.key}</code>
          <CopyButton text={key.key} what="key" />
        </div>
      </>
    );
  return (
    <>
      <p>Your software says by it who is calling. A test key reaches simulated phones and spends play money.</p>
      {create.error && <ProblemView error={create.error} />}
      <div className="row">
        <Button disabled={!mayCreate} loading={create.isPending} onClick={() => create.mutate({ mode: "test" })}>
          Create a test key
        </Button>
        {!mayCreate && <span className="soft">Your role can't create keys.</span>}
      </div>
    </>
  );
}

/** Without SMS the first message or purchase is made on the page of what one has. */
const OtherForm = ({ services }: { readonly services: readonly string[] }) => (
  <p>
    {services
      .filter(isService)
      .slice(0, 1)
      .map((service) => (
        <Link key={service} to={`/services/${service}`}>
          Open its form
        </Link>
      ))}
  </p>
);
