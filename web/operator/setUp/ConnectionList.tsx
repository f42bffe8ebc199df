import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { TownConnection } from '../../../contract/operator/setUp.ts';
import { Badge } from '../../ui/Badge.tsx';
import { errorMessageOf } from '../../ui/errorMessage.ts';
import { Icon } from '../../ui/icons.tsx';
import { operatorApi } from '../operatorApi.ts';
import { CONNECTION_TEXTS, USE_TEXTS } from '../setUpTexts.ts';
import styles from './SetUp.module.css';

/** The third parties, with a test of each. */
export function ConnectionList({ connections }: { connections: readonly TownConnection[] }) {
  return (
    <>
      <p>
        A stand-in runs in this server: no real card is charged, and mail stays in its inbox. Environment variables
        connect the real services at the next start. Their values never show here.
      </p>
      <ul className={styles.connections} aria-label="Connections">
        {connections.map((connection) => (
          <ConnectionRow key={connection.name} connection={connection} />
        ))}
      </ul>
    </>
  );
}

function ConnectionRow({ connection: { name, use, variables } }: { connection: TownConnection }) {
  const test = useMutation({ mutationFn: () => operatorApi.testConnection({ body: { name } }) });
  const { name: title, real } = CONNECTION_TEXTS[name];
  const [set, missing] = [variables.filter(({ isSet }) => isSet), variables.filter(({ isSet }) => !isSet)];
  const namesOf = (some: typeof variables) => some.map((variable) => variable.name).join(', ');
  return (
    <li>
      <div className={styles.connection}>
        <div className={styles.about}>
          <h3>
            {title} <Badge color={use === 'real' ? 'completed' : 'other'}>{USE_TEXTS[use]}</Badge>
          </h3>
          {set.length > 0 && <p className="quiet">Set: {namesOf(set)}</p>}
          {missing.length > 0 && (
            <p className="quiet">
              {use === 'real' ? 'Not set' : `For ${real}, set`}: {namesOf(missing)}
            </p>
          )}
        </div>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          Test<span className="sr-only"> {title}</span>
        </Button>
      </div>
      <div role="status">
        {test.data && (
          <p className={test.data.isWorking ? styles.works : styles.fails}>
            <Icon name={test.data.isWorking ? 'check' : 'alert'} size={18} />
            <span>{test.data.words}</span>
          </p>
        )}
        {test.isError && (
          <p className={styles.fails}>
            <Icon name="alert" size={18} />
            <span>{errorMessageOf(test.error, 'The server did not answer. Please try again.')}</span>
          </p>
        )}
      </div>
    </li>
  );
}
