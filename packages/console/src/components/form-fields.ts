import type { DraftFields } from '../session/drafts.ts';

/** The named fields of a form as they are now. Files and passwords are left out: they are never kept. */
export function readFields(form: HTMLFormElement): DraftFields {
  const fields: Record<string, string | boolean> = {};
  for (const field of namedFields(form)) {
    if (field.type === 'checkbox') fields[field.name] = (field as HTMLInputElement).checked;
    else if (field.type !== 'radio' || (field as HTMLInputElement).checked) fields[field.name] = field.value;
  }
  return fields;
}

/** Fills in the fields as somebody would who types. Returns those that the form does not have, or does not have yet. */
export function fillFields(form: HTMLFormElement, fields: DraftFields): DraftFields {
  for (const field of namedFields(form)) {
    const value = fields[field.name];
    if (field.type === 'checkbox' || field.type === 'radio') {
      const box = field as HTMLInputElement;
      const isChecked = field.type === 'checkbox' ? value === true : value === field.value;
      if (value !== undefined && isChecked && !box.checked) box.click();
      if (value === false && box.checked) box.click();
    } else if (typeof value === 'string' && field.type !== 'hidden' && field.value !== value) {
      type(field, value);
    }
  }
  const filled = readFields(form);
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => filled[name] !== value));
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function namedFields(form: HTMLFormElement): Field[] {
  return [...form.elements].filter(
    (element): element is Field =>
      (element instanceof HTMLInputElement ||
        element instanceof HTMLTextAreaElement ||
        element instanceof HTMLSelectElement) &&
      element.name !== '' &&
      !['file', 'password', 'submit'].includes(element.type),
  );
}

function type(field: Field, value: string): void {
  // By the setter of the browser: React watches that of the element, and would take the event for no change.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
}
