import { IsIn, IsOptional } from 'class-validator';

/** Of a deletion whose route names what is deleted. */
export class PermanentParameter {
  /** `true`: it does not go to the bin. */
  @IsOptional()
  @IsIn(['true', 'false'], { message: 'permanent must be true or false' })
  readonly permanent?: string;
}
