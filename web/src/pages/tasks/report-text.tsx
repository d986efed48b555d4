import { t } from '@lingui/core/macro';
import { Fragment, type ReactNode } from 'react';
import { Markdown } from '../assistant/markdown.js';
import { RunChart } from './step-list.js';

/** How a report names its charts. */
const IMAGE = /!\[([^\]\n]*)\]\(\/api\/v1\/secure\/assistant\/visualizations\/([0-9a-f]+\.png)\)/;

/** A run's Markdown with its own charts in their places. */
export function ReportText({ text }: { readonly text: string }): ReactNode {
  // Words, label, file, words, label, file, …
  const parts = text.split(new RegExp(IMAGE, 'g'));
  const blocks = [];
  for (let at = 0; at < parts.length; at += 3) {
    const [words = '', label = '', filename] = parts.slice(at, at + 3);
    blocks.push(
      <Fragment key={at}>
        {words.trim() !== '' && <Markdown text={words} />}
        {filename !== undefined && <RunChart filename={filename} label={label === '' ? t`Chart` : label} />}
      </Fragment>,
    );
  }
  return <div>{blocks}</div>;
}
