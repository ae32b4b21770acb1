import type { FileValue } from '@cua-forge/spec/value';
import { Paperclip } from 'lucide-react';
import { useState } from 'react';
import { fileBytes } from '../api/files-api.ts';
import { useLoad } from '../api/use-load.ts';
import { bytes } from '../ui/format.ts';
import { FailureNotice } from '../ui/states.tsx';
import { type MailShown, readMailFile } from './mail-file.ts';

/** The messages of a mail file; of several, the chosen one. Their words are text: nothing in them is run or fetched. */
export function MailView({ file }: { file: FileValue }) {
  const [load] = useLoad(async () => readMailFile(file.name, await fileBytes(file)), [file.hash]);
  const [chosen, setChosen] = useState(0);
  if (load.status === 'loading') return <p className="hint pad">Loading…</p>;
  if (load.status === 'failed') return <FailureNotice failure={load.error} />;
  const { messages, total } = load.value;
  const message = messages[chosen];
  if (message === undefined) return <p className="hint pad">There is no message in it.</p>;
  if (messages.length === 1) return <Message message={message} />;
  return (
    <div className="stack">
      <p className="hint">
        {total} messages{total > messages.length && `; the first ${messages.length} are here`}
      </p>
      <div className="versions">
        <ul className="plain-list choices" aria-label="Messages">
          {messages.map(({ subject, from, date }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: messages have no identity but their place
            <li key={index}>
              <button type="button" className="choice" aria-pressed={index === chosen} onClick={() => setChosen(index)}>
                <span className="grow truncate">
                  {subject === '' ? 'Without a subject' : subject}
                  <span className="command-detail">
                    {from} · {date}
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ul>
        <Message message={message} />
      </div>
    </div>
  );
}

function Message({ message: { subject, from, to, date, text, attachments } }: { message: MailShown }) {
  return (
    <article className="paper" aria-label="Message">
      <p className="paper-heading level-2">{subject === '' ? 'Without a subject' : subject}</p>
      <dl className="facts">
        {[
          ['From', from],
          ['To', to],
          ['Date', date],
        ].map(([name, value]) => (
          <div key={name} className="fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <pre className="text-value">{text}</pre>
      {attachments.length > 0 && (
        <ul className="plain-list" aria-label="Attachments">
          {attachments.map(({ name, type, size }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: attachments have no identity but their place
            <li key={index} className="row">
              <Paperclip size={14} aria-hidden />
              <span className="truncate">{name}</span>
              <span className="muted small">
                {type}, {bytes(size)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}
