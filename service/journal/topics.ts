/** The topic on which a new timer is signalled: the next one may be due earlier than thought. */
export const TIMERS_SET = 'timers-set';
