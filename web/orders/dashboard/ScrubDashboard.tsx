import { useQuery } from '@tanstack/react-query';
import { usePause } from '../../api/config.ts';
import { LazyDocuments } from '../../documents/LazyDocuments.tsx';
import { FirstSteps } from '../../firstSteps/FirstSteps.tsx';
import { DataTable } from '../../lists/DataTable.tsx';
import { useUser } from '../../session/session.ts';
import { firstNameOf, formatMoney } from '../../ui/format.ts';
import { KeptHeight } from '../../ui/KeptHeight.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { RefreshButton } from '../../ui/RefreshButton.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { StatCard, StatRow } from '../../ui/StatCard.tsx';
import { SCRUB_COLUMNS } from '../columns.tsx';
import { JobBoard } from '../job/JobBoard.tsx';
import { NoJobs } from '../NoJobs.tsx';
import { SCRUB_DASHBOARD_QUERY } from '../queries.ts';
import { scrubLine } from '../scrubLine.ts';

/** spec 2.8: the greeting, four figures, the latest jobs; above them what there is to do now. */
export function ScrubDashboard() {
  const user = useUser();
  const asked = useQuery(SCRUB_DASHBOARD_QUERY);
  const figures = asked.data;
  const pause = usePause();
  const again = { onRetry: () => void asked.refetch(), isRetrying: asked.isFetching };
  return (
    <>
      <PageHeader
        title={`Hello, ${firstNameOf(user.fullname)}!`}
        subtitle={scrubLine({ isActive: user.isActive, heldBy: figures && (figures.heldBy ?? null), pause })}
      />
      <LazyDocuments place="dashboard" />
      <KeptHeight heightKey={`rubadub-board-${user.id}`}>
        {figures && <JobBoard jobs={figures.openJobs ?? []} />}
      </KeptHeight>
      <StatRow isFailed={asked.isError}>
        <StatCard
          label="Today's Earnings"
          to="/scrub/earnings"
          icon="money"
          value={figures && formatMoney(figures.todayEarning)}
        />
        <StatCard label="Active Jobs" icon="clock" value={figures?.totalActiveScrubOrders} />
        <StatCard label="Completed" icon="check" value={figures?.totalCompletedScrubOrders} />
        <StatCard label="Rating" icon="star" value={figures && formatRating(figures.averageScrubOrdersRating)} />
      </StatRow>
      {figures && (
        <FirstSteps
          facts={{
            role: 'Scrub',
            isVisible: user.isActive,
            jobs: figures.latestJobs.map(({ status }) => status),
            completed: figures.totalCompletedScrubOrders,
          }}
        />
      )}
      <SectionHeader title="Latest Jobs">
        <RefreshButton onRefresh={again.onRetry} isRefreshing={asked.isFetching} />
      </SectionHeader>
      <DataTable
        label="Latest Jobs"
        columns={SCRUB_COLUMNS}
        rows={figures?.latestJobs}
        rowKey={(job) => job.id}
        detailsTo={(job) => `/scrub/jobs/${job.id}`}
        empty={<NoJobs />}
        failure={asked.isError ? { title: 'Unable To Get Jobs', error: asked.error, ...again } : undefined}
      />
    </>
  );
}

/** One decimal; 0 without reviews. */
const formatRating = (rating: number) => (rating === 0 ? '0' : rating.toFixed(1));
