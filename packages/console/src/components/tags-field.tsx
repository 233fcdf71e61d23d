import { TagsInput } from '@mantine/core';
import { useDraftList } from './use-draft.ts';

interface TagsFieldProps {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** Shown while there is no tag. */
  readonly placeholder?: string;
  readonly data?: readonly string[];
  readonly initial?: readonly string[];
  readonly error?: string | undefined;
}

/** A list of short texts in a form. The form has them joined by commas. */
export function TagsField({ placeholder = '', data = [], initial = [], ...field }: TagsFieldProps) {
  const [tags, setTags] = useDraftList(field.name, initial);
  return (
    <TagsInput
      {...field}
      placeholder={tags.length === 0 ? placeholder : ''}
      data={[...data]}
      value={tags}
      onChange={setTags}
    />
  );
}
