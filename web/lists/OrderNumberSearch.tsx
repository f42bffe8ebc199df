import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { parseOrderNumber } from '../../domain/orders.ts';
import { Icon } from '../ui/icons.tsx';

const PAUSE_MS = 300;

/** Finds an order by its number, once the typing pauses or Enter is pressed. */
export function OrderNumberSearch({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const send = useDebouncedCallback((typed: string) => {
    sent.current = typed;
    onChange(typed);
  }, PAUSE_MS);
  // "Show All" and Back change the value, but not while somebody types.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    send.cancel();
    setText(value);
  }, [value, send]);
  const isUnclear = value === text.trim() && value !== '' && parseOrderNumber(value) === undefined;
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send.flush();
        }}
      >
        <TextInput
          type="search"
          label="Order number"
          placeholder="R-1042"
          autoComplete="off"
          spellCheck={false}
          maxLength={20}
          leftSection={<Icon name="search" size={18} />}
          error={isUnclear && 'A number looks like R-1042'}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            send(event.currentTarget.value.trim());
          }}
        />
      </form>
    </search>
  );
}
