import { about, inOrder, refuse, rows, share } from '../asking.js';

export const questions = about('song_list', 'song-list', [
  rows(
    'like',
    'Find the titles of all songs that contain the word "Love".',
    "SELECT SongTitle FROM t WHERE SongTitle LIKE '%Love%'",
  ),
  rows('count distinct', 'How many different artists are there?', 'SELECT count(DISTINCT Artist) FROM t'),
  rows('superlative', 'What is the longest song?', 'SELECT SongTitle FROM t ORDER BY DurationSec DESC LIMIT 1'),
  rows(
    'superlative',
    'Give the title and the artist of the shortest song in English.',
    "SELECT SongTitle, Artist FROM t WHERE Language = 'English' ORDER BY DurationSec LIMIT 1",
  ),
  rows('filter', 'songs longer than 4 minutes', 'SELECT SongTitle FROM t WHERE DurationSec > 240'),
  rows(
    'filter',
    'Which explicit songs came out after 2018?',
    'SELECT SongTitle FROM t WHERE Explicit AND ReleaseYear > 2018',
  ),
  rows('group', 'What is the average rating for each language?', 'SELECT Language, avg(Rating) FROM t GROUP BY 1'),
  rows(
    'superlative group',
    'Which artist has the highest total number of plays?',
    'SELECT Artist FROM t GROUP BY 1 ORDER BY sum(Plays) DESC LIMIT 1',
  ),
  inOrder(
    'artists and how many songs each has, most songs first',
    'SELECT Artist, count(*) FROM t GROUP BY 1 ORDER BY 2 DESC',
    1,
  ),
  rows('null', 'List the songs which do not belong to any album', 'SELECT SongTitle FROM t WHERE Album IS NULL'),
  rows(
    'intersection',
    'Find artists who have songs in both German and English',
    "SELECT Artist FROM t WHERE Language = 'German' INTERSECT SELECT Artist FROM t WHERE Language = 'English'",
  ),
  rows(
    'never',
    'Which artists never made an explicit song?',
    'SELECT DISTINCT Artist FROM t WHERE Artist NOT IN (SELECT Artist FROM t WHERE Explicit)',
  ),
  rows(
    'between',
    'titles of songs released between 2014 and 2019 with a rating below 4',
    'SELECT SongTitle FROM t WHERE ReleaseYear BETWEEN 2014 AND 2019 AND Rating < 4',
  ),
  share('What share of the songs is explicit?', 'SELECT 100.0 * count(*) FILTER (WHERE Explicit) / count(*) FROM t'),
  rows(
    'superlative',
    'the three most played songs by Vesper Kids',
    "SELECT SongTitle FROM t WHERE Artist = 'Vesper Kids' ORDER BY Plays DESC LIMIT 3",
  ),
  rows(
    'figure',
    'How long is the album Paper Suns altogether?',
    "SELECT sum(DurationSec) FROM t WHERE Album = 'Paper Suns'",
  ),
  refuse('missing column', 'Who wrote the lyrics of Hollow Moon?'),
  refuse('wrong value', 'How many songs by Radiohead are in the list?'),
]);
