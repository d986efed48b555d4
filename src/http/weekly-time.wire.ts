import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, Matches, ValidateBy } from 'class-validator';
import { isTimeZone, type Weekday, WEEKDAYS, type WeeklyTime } from '../shared/planned-turns.js';

const DAYS = `days must name 1 to 7 of ${WEEKDAYS.join(', ')}, each once`;

const IsTimeZone = (): PropertyDecorator =>
  ValidateBy({
    name: 'isTimeZone',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isTimeZone(value),
      defaultMessage: () => 'time_zone must be the name of a time zone, such as Europe/Berlin or UTC',
    },
  });

/** A time of day on some days of the week. */
export class WeeklyTimeBody {
  @IsArray({ message: DAYS })
  @ArrayMinSize(1, { message: DAYS })
  @ArrayMaxSize(7, { message: DAYS })
  @ArrayUnique({ message: DAYS })
  @IsIn(WEEKDAYS, { each: true, message: DAYS })
  readonly days!: Weekday[];

  /** `08:00`: hours and minutes, by the clocks of the time zone. */
  @Matches(/^([01]\d|2[0-3]):[0-5]\d$/, { message: 'time must be like 08:00' })
  readonly time!: string;

  /** `Europe/Berlin`; `UTC`. */
  @IsTimeZone()
  readonly time_zone!: string;
}

export class WeeklyTimeView {
  readonly days!: Weekday[];
  readonly time!: string;
  readonly time_zone!: string;
}

/** The days in the order of the week. */
export function weeklyTimeFrom({ days, time, time_zone: timeZone }: WeeklyTimeBody): WeeklyTime {
  return { days: WEEKDAYS.filter((day) => days.includes(day)), time, timeZone };
}

export function weeklyTimeView({ days, time, timeZone }: WeeklyTime): WeeklyTimeView {
  return { days: [...days], time, time_zone: timeZone };
}
