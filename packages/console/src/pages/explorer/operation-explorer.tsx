import { Alert, Button, Code, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { CopyTextButton } from '../../components/copy-button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Icon } from '../../components/icon.tsx';
import { InlineCode } from '../../components/inline-code.tsx';
import { Panel } from '../../components/panel.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/explorer.ts';
import { buildRequest, type Entries, entryKey } from './build-request.ts';
import { FieldInput } from './field-input.tsx';
import { findObstacle } from './find-obstacle.ts';
import { listHeaders } from './list-headers.ts';
import classes from './operation-explorer.module.css';
import type { ExplorerOperation } from './read-openapi.ts';
import { ResponsePanel } from './response-panel.tsx';
import { sendRequest } from './send-request.ts';
import { writeSamples } from './write-samples.ts';

/** One operation: its form, the request that it makes, and the response. */
export function OperationExplorer({ operation }: { readonly operation: ExplorerOperation }) {
  const [entries, setEntries] = useState<Entries>({});
  const request = buildRequest(operation, entries);
  const send = useSingleMutation({ mutationFn: () => sendRequest(request) });
  const responsePlace = useRef<HTMLDivElement>(null);
  const { data: response } = send;
  useEffect(() => {
    if (response) responsePlace.current?.scrollIntoView({ block: 'nearest' });
  }, [response]);
  const { data: explanation } = useQuery({
    queryKey: ['explain', request],
    queryFn: () =>
      getKeyfront().explain({
        method: request.method,
        path: request.path,
        query: request.query,
        ...(request.body ? { body: request.body } : {}),
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isSigned = operation.access === 'credential';
  const obstacle = findObstacle(operation);
  const samples = writeSamples(operation, request, getKeyfront().baseUrl);
  const headers = Object.entries(listHeaders(operation, request));
  return (
    <div className={classes.columns}>
      <Panel title={operation.summary}>
        <Text size="sm" c="dimmed" mb="md">
          <InlineCode text={operation.description.split('\n')[0] ?? ''} />
        </Text>
        {obstacle !== null && (
          <Alert variant="default" mb="md" icon={<Icon name="info" />}>
            {obstacle}
          </Alert>
        )}
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (obstacle === null && request.issues.length === 0 && !send.isPending) send.mutate();
          }}
        >
          {operation.fields.map((field) => (
            <FieldInput
              key={entryKey(field)}
              field={field}
              value={entries[entryKey(field)] ?? ''}
              onChange={(value) => setEntries({ ...entries, [entryKey(field)]: value })}
            />
          ))}
          {operation.fields.length === 0 && <Text size="sm">{texts.thisOperationHasNoInput}</Text>}
          {obstacle === null && (
            <div>
              <Button type="submit" loading={send.isPending} disabled={request.issues.length > 0}>
                {texts.sendMethod(operation.method)}
              </Button>
              {request.issues.length > 0 && (
                <Text size="xs" c="dimmed" mt={6}>
                  {request.issues.join('. ')}.
                </Text>
              )}
            </div>
          )}
        </form>
      </Panel>
      <div className={classes.side}>
        <Panel title={texts.request}>
          <Tabs defaultValue="curl" keepMounted={false}>
            <Tabs.List className={classes.tabs}>
              {[...Object.keys(samples), 'Headers', ...(isSigned ? [texts.signedPayload] : [])].map(
                (name) => (
                  <Tabs.Tab key={name} value={name}>
                    {name}
                  </Tabs.Tab>
                ),
              )}
            </Tabs.List>
            {Object.entries(samples).map(([name, text]) => (
              <Tabs.Panel key={name} value={name} pt="sm">
                <CodeBlock text={text} />
                {isSigned && name === 'curl' && (
                  <Text size="xs" c="dimmed" mt="xs">
                    <Code>KEYFRONT_TOKEN</Code>
                    {texts.holdsTokenOfSessionToSign}
                    <Code>keyfront sign --curl</Code>
                    {texts.printCommand}
                  </Text>
                )}
              </Tabs.Panel>
            ))}
            <Tabs.Panel value="Headers" pt="sm">
              <CodeBlock text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')} />
              {isSigned && (
                <Text size="xs" c="dimmed" mt="xs">
                  {texts.apiKeySendsSignaturesInPlace}
                  <Code>authorization</Code>: <Code>signature-input</Code>, <Code>signature</Code>
                  {texts.andWithBody} <Code>content-digest</Code>
                  {texts.or}
                  <Code>x-auth-apikey</Code>
                  {texts.and}
                  <Code>x-auth-signature</Code> {texts.forSimpleForm}
                </Text>
              )}
            </Tabs.Panel>
            <Tabs.Panel value="Signed payload" pt="sm">
              <Text size="sm" mb="xs">
                {explanation?.rule ?? ' '}
              </Text>
              <CodeBlock text={explanation?.text ?? ''} />
              <Text size="xs" c="dimmed" mt="xs" className={classes.hash}>
                {texts.sha256(explanation?.sha256 ?? '')}
              </Text>
            </Tabs.Panel>
          </Tabs>
        </Panel>
        {send.error && <ErrorNotice title={texts.requestWasNotSent} error={send.error} />}
        <div ref={responsePlace} className={classes.response}>
          {response && <ResponsePanel response={response} />}
        </div>
      </div>
    </div>
  );
}

function CodeBlock({ text }: { readonly text: string }) {
  return (
    <div className={classes.code}>
      <Code block tabIndex={0} className={classes.block}>
        {text}
      </Code>
      <CopyTextButton value={text} label={texts.copy} />
    </div>
  );
}
