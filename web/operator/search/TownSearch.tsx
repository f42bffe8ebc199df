import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Hit } from '../../../contract/operator/search.ts';
import { labelOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { operatorApi } from '../operatorApi.ts';
import styles from './TownSearch.module.css';

const PAUSE_MS = 150;
const MIN_LENGTH = 2;

/** One search box for the whole town, with hits while typing. */
export function TownSearch() {
  const navigate = useNavigate();
  const listId = useId();
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  const [highlight, setHighlight] = useState(0);
  const ask = useDebouncedCallback((typed: string) => setAsked(typed.trim()), PAUSE_MS);
  const isAsked = asked.length >= MIN_LENGTH && text.trim() !== '';
  const search = useQuery({
    queryKey: ['search', asked],
    queryFn: ({ signal }) => operatorApi.searchTown({ query: { q: asked } }, { signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const hits = isAsked ? (search.data?.items ?? []) : [];
  const first = hits[0]?.id;
  useEffect(() => setHighlight(0), [first]);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[highlight]?.scrollIntoView({ block: 'nearest' });
  }, [highlight]);

  const clear = () => {
    setText('');
    setAsked('');
    ask.cancel();
  };
  const open = (hit: Hit) => {
    clear();
    void navigate(pathOf(hit));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = hits[highlight];
    if (event.key === 'Escape') clear();
    else if (hits.length === 0) return;
    else if (step !== undefined) setHighlight((at) => (at + step + hits.length) % hits.length);
    // The hits are of an earlier input.
    else if (event.key === 'Enter' && chosen && asked === text.trim() && !search.isPlaceholderData) open(chosen);
    else return;
    event.preventDefault();
  };
  const isOpen = hits.length > 0;
  return (
    <search className={styles.box}>
      <TextInput
        label="Find"
        placeholder="Number, name, phone, address…"
        leftSection={<Icon name="search" size={18} />}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isOpen ? `${listId}-${highlight}` : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          ask(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={listId} role="listbox" aria-label="Found" className={isOpen ? styles.list : 'sr-only'}>
        {hits.map((hit, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the combobox
          <div
            key={`${hit.kind} ${hit.id}`}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === highlight}
            className={styles.item}
            onClick={() => open(hit)}
          >
            <span className={styles.title}>{hit.title}</span>
            <span className={styles.detail}>{describe(hit)}</span>
          </div>
        ))}
      </div>
      <p className={styles.state} aria-live="polite">
        {stateOf(isAsked, search, hits.length)}
      </p>
    </search>
  );
}

function stateOf(
  isAsked: boolean,
  { isError, isFetched }: { isError: boolean; isFetched: boolean },
  found: number,
): string {
  if (!isAsked) return '';
  if (isError) return 'The search did not work. Please type again.';
  return isFetched && found === 0 ? 'Nothing was found' : '';
}

function pathOf({ kind, id, orderId }: Hit): string {
  if (kind === 'person') return `/operator/people/${id}`;
  return kind === 'case' ? `/operator/cases/${id}` : `/operator/orders/${orderId ?? id}`;
}

const KIND_WORDS: Record<Hit['kind'], string> = {
  order: 'Order',
  case: 'Case',
  delivery: 'Delivery',
  person: 'Person',
};

function describe({ kind, detail, by, words }: Hit): string {
  const about = kind === 'person' ? detail : `${KIND_WORDS[kind]} · ${labelOf(detail).replaceAll('-', ' ')}`;
  if (by === 'number' || by === 'name') return about;
  return by === 'person' ? `${about} · ${words}` : `${about} · ${by} ${words}`;
}
