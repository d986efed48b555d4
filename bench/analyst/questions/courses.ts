import { about, refuse, rows } from '../asking.js';

export const questions = about('courses', 'courses', [
  rows(
    'filter',
    'Find the titles of courses offered by the Biology department in Fall',
    "SELECT title FROM t WHERE dept_name = 'Biology' AND semester = 'Fall'",
  ),
  rows('count', 'How many courses does each department offer?', 'SELECT dept_name, count(*) FROM t GROUP BY 1'),
  rows('distinct', 'which lecturers teach 6-credit courses', 'SELECT DISTINCT lecturer FROM t WHERE credits = 6'),
  rows(
    'comparison',
    'Which courses are full, that is, the number enrolled equals the maximum number of students?',
    'SELECT title FROM t WHERE enrolled = max_students',
  ),
  rows(
    'superlative group',
    'What is the department with the greatest number of enrolled students?',
    'SELECT dept_name FROM t GROUP BY 1 ORDER BY sum(enrolled) DESC LIMIT 1',
  ),
  rows(
    'intersection',
    'Find the lecturers who taught in Fall 2021 and also in Spring 2022',
    "SELECT lecturer FROM t WHERE semester = 'Fall' AND yr = 2021 INTERSECT SELECT lecturer FROM t WHERE semester = 'Spring' AND yr = 2022",
  ),
  rows(
    'except',
    'rooms that were used in Fall but not in Spring',
    "SELECT room FROM t WHERE semester = 'Fall' EXCEPT SELECT room FROM t WHERE semester = 'Spring'",
  ),
  rows('null', 'Which course has no room assigned?', 'SELECT title FROM t WHERE room IS NULL'),
  rows('like', 'course titles with "History" in them', "SELECT title FROM t WHERE title LIKE '%History%'"),
  rows('order', 'List course code and title in ascending order of credits', 'SELECT course_code, title FROM t'),
  rows(
    'figure',
    "How many students attend Dr Mbeki's courses in total?",
    "SELECT sum(enrolled) FROM t WHERE lecturer = 'Dr Mbeki'",
  ),
  rows(
    'filter',
    'courses with an oral exam and more than 40 students',
    "SELECT title FROM t WHERE exam = 'oral' AND enrolled > 40",
  ),
  rows(
    'having',
    'departments whose average enrollment is under 50',
    'SELECT dept_name FROM t GROUP BY 1 HAVING avg(enrolled) < 50',
  ),
  rows('figure', 'total number of credits offered in each year', 'SELECT yr, sum(credits) FROM t GROUP BY 1'),
  rows('lookup', 'Who teaches Graph Theory?', "SELECT lecturer FROM t WHERE title = 'Graph Theory'"),
  refuse('missing column', 'Which textbook is used in Databases?'),
  refuse('near column', 'What is the salary of Prof Iyer?'),
  refuse('wrong value', 'How many courses does the Physics department offer?'),
]);
