import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import type { Role } from '../../../domain/accounts.ts';
import { DeliveryNotFound } from './DeliveryNotFound.tsx';

const render = (role: Role) =>
  renderToStaticMarkup(
    <MantineProvider>
      <MemoryRouter>
        <DeliveryNotFound role={role} wasHolder={false} />
      </MemoryRouter>
    </MantineProvider>,
  );

test('a Duber whose earnings lead to a delivery that is another one’s now reads so, and finds the way back to them', () => {
  const page = render('Duber');
  expect(page).toContain('Delivery Not Found');
  expect(page).toContain('Another Duber may have this delivery now');
  expect(page).toContain('href="/duber/earnings"');
  expect(render('Bud')).not.toContain('Duber');
});
