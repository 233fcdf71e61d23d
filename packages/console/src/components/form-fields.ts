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

/** The entries of a field that is a list, which the form has joined by commas. */
export function readList(form: FormData, name: string): string[] {
  return String(form.get(name) ?? '')
    .split(',')
    .filter(Boolean);
}

/**
 * Fills in the fields as somebody would who types. Returns those that the form does not have yet: the choices of a field may be loaded
 * after it is shown.
 */
export function fillFields(form: HTMLFormElement, fields: DraftFields): DraftFields {
  const filled = new Set<string>();
  for (const field of namedFields(form)) {
    const value = fields[field.name];
    if (value === undefined || !hasChoice(field, value)) continue;
    filled.add(field.name);
    if (field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type)) {
      const isChecked = field.type === 'radio' ? value === field.value : value === true;
      // A radio button is unchecked by another one.
      if (isChecked !== field.checked && (isChecked || field.type === 'checkbox')) field.click();
    } else if (typeof value === 'string' && field.type !== 'hidden') {
      type(field, value);
    }
  }
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !filled.has(name)));
}

function hasChoice(field: Field, value: string | boolean): boolean {
  return !(field instanceof HTMLSelectElement) || [...field.options].some((option) => option.value === value);
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
