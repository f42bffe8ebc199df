import { describeSituations } from './situations.ts';

describeSituations('open');
