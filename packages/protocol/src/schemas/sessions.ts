import { type Static, Type } from 'typebox';
import { Count, StringEnum, Timestamp, Uuid, YesOrNo } from './values.ts';

export const Session = Type.Object(
  {
    id: Uuid('Id of the session'),
    role: StringEnum(['holder', 'administrator'], { description: 'What the wallet has signed in as' }),
    domain: Type.String({
      description: 'The domain in the message that the wallet has signed',
      examples: ['shop.example'],
    }),
    createdAt: Timestamp('When the wallet signed in'),
    expiresAt: Timestamp('Until when the token of the session is accepted'),
    isCurrent: Type.Boolean({ description: 'Whether the token of this request belongs to the session' }),
  },
  { title: 'Session', description: 'A sign-in of a wallet, and the token that it returned' },
);
export type Session = Static<typeof Session>;

export const SessionList = Type.Object({ sessions: Type.Array(Session) }, { title: 'SessionList' });
export type SessionList = Static<typeof SessionList>;

export const SessionPath = Type.Object({ sessionId: Uuid('Id of the session') });

export const SessionEndQuery = Type.Object({
  keepCurrent: YesOrNo('`true` keeps the session of this request'),
});
export type SessionEndQuery = Static<typeof SessionEndQuery>;

export const EndedSessions = Type.Object(
  { endedCount: Count('How many sessions were ended', 2) },
  { title: 'EndedSessions' },
);
export type EndedSessions = Static<typeof EndedSessions>;
