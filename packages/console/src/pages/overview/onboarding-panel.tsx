import { Link } from '@tanstack/react-router';
import { Icon } from '../../components/icon.tsx';
import { Panel } from '../../components/panel.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { texts } from '../../texts/overview.ts';
import classes from './onboarding-panel.module.css';
import type { Onboarding, OnboardingStep } from './use-onboarding.ts';

/** The first steps with a digital key, and which of them are done. */
export function OnboardingPanel({ steps, dismiss }: Onboarding) {
  const done = steps.filter(({ isDone }) => isDone).length;
  const close = () => {
    dismiss();
    // The button is gone. Whoever works by keyboard goes on where the page begins.
    document.getElementById('content')?.focus();
  };
  return (
    <div className={classes.panel}>
      <Panel
        title={texts.gettingStarted(done, steps.length)}
        aside={
          <SmallButton isSubtle onClick={close}>
            {texts.dismiss}
          </SmallButton>
        }
      >
        <ol className={classes.steps}>
          {steps.map((step, index) => (
            <li key={step.to}>
              <Step step={step} number={index + 1} />
            </li>
          ))}
        </ol>
      </Panel>
    </div>
  );
}

function Step({ step, number }: { readonly step: OnboardingStep; readonly number: number }) {
  const { title, reason, to, search, isDone } = step;
  return (
    <Link to={to} search={search ?? {}} className={classes.step} data-done={isDone || undefined}>
      <span className={classes.mark}>{isDone ? <Icon name="check" size={14} /> : number}</span>
      <span>
        <span className={classes.title}>
          {title}
          {isDone && <span className="visually-hidden">{texts.done}</span>}
        </span>
        <span className={classes.reason}>{reason}</span>
      </span>
    </Link>
  );
}
