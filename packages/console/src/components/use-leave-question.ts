import { useState } from 'react';

/** What a dialog knows of the form in it. */
export interface LeaveQuestion {
  readonly isAsking: boolean;
  readonly onChanged: (isChanged: boolean) => void;
  readonly onStay: () => void;
}

/** Lets a dialog close at once while its form is as it was opened, and otherwise ask first. Returns what closes the dialog. */
export function useLeaveQuestion(onClose: () => void): [() => void, LeaveQuestion] {
  const [isChanged, setIsChanged] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const leave = () => {
    if (isChanged) setIsAsking(true);
    else onClose();
  };
  const onChanged = (changed: boolean) => {
    setIsChanged(changed);
    setIsAsking(false);
  };
  return [leave, { isAsking, onChanged, onStay: () => setIsAsking(false) }];
}
